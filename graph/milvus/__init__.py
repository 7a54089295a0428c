"""The vector store on Milvus: Milvus Lite in this process, or a server."""

from graph.milvus.store import MilvusVectorStore

__all__ = ["MilvusVectorStore"]
