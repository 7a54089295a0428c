"""Every placement adviser, under one suite."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from contracts.chat import Sampling
from contracts.ports import Memo
from processors.openai_chat import Endpoint, OpenAIChat
from processors.placing import ChatPlacementAdviser
from processors.remembering import Payer
from tests.contract.placement_adviser import PlacementAdviserContract
from tests.model_server import ModelServer


class TestChatPlacementAdviser(PlacementAdviserContract):
    @pytest.fixture
    async def adviser(self, server: ModelServer, memo: Memo) -> AsyncIterator[ChatPlacementAdviser]:
        chat = OpenAIChat(Endpoint(server.url, server.model, first_wait_s=0.01))
        yield ChatPlacementAdviser(chat, Payer(memo), Sampling(), context=8_192)
        await chat.close()
