"""Frozen word lists for finding names in texts that write names with capitals.

All case-folded. They were written from general knowledge of the languages, not from any book
that figures are reported on.
"""

from __future__ import annotations

from typing import Final


def word_table(text: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(text.split())


FUNCTION_WORDS: Final = word_table(
    """a about above across after again against ah aha ain all almost along also although always
    am amen among an and another any anybody anyhow anyone anything are as ask at away aye bah be
    because been before behind being below beneath beside besides better between beyond both but
    by bye can cannot certainly come could damn dear did didn do does doesn don done down during
    each eh either else enough even ever every everybody everyone everything except few first for
    fortunately from go good had hadn half has hasn have haven having he hello hence her here hers
    herself hey hi hid him himself his ho how however hullo hum hurrah hush i if in indeed instead
    into is isn it its itself just last later least leave less lest let like listen little look
    many me mine more moreover most much must my myself nay near nearly neither never nevertheless
    next no nobody none nonsense nor not nothing now nowhere o of off oh old on once one only onto
    or other others ought our ours ourselves out over own perhaps please poor presently quick
    quite rather really same say second see seldom several shall she should show since so some
    somebody somehow someone something sometimes somewhere soon still stop such suddenly sure
    surely take tell than thank thanks that the thee their them then there therefore these they
    thine this those thou though through thus thy till to together too toward towards tush tut
    under unless until unto up upon us very wait was wasn we well were weren what whatever when
    whence whenever where wherever whether which while whilst who whoever whole whom whose why
    with within without won would wouldn yes yet you your yours yourself youth
    der die das den dem des ein eine einer eines einem einen und oder aber doch nicht ich du er
    sie es wir ihr mein dein sein unser euer kein wenn als wie was wer wo da dann so ja nein nun
    auch nur noch schon mit von zu im am bei nach vor aus auf für gegen ohne um durch über unter
    le la les un une des et ou mais donc or ni car je tu il elle nous vous ils elles ce cette
    que qui quoi dans sur sous avec sans pour par oui non
    el los las y o pero si no yo tú él ella nosotros que en con por para
    il lo gli e ma io lui lei noi voi che di da con per"""
)
"""Words that open a sentence with a capital and are never a person's name."""

NOT_PERSONS: Final = word_table(
    """monday tuesday wednesday thursday friday saturday sunday january february march april june
    july august september october november december christmas easter michaelmas whitsun lent
    halloween sabbath spring summer autumn winter god christ jesus heaven hell providence devil
    satan lordship ladyship highness majesty excellency grace honour honor worship bible scripture
    scriptures gospel testament koran almighty creator saviour savior holy ghost trinity fate
    fortune nature time death english englishman englishmen englishwoman french frenchman
    frenchmen frenchwoman german germans american americans indian indians irish irishman scotch
    scottish scotchman scotsman welsh welshman italian italians spanish spaniard spaniards
    portuguese russian russians dutch dutchman swiss swede swedish danish dane norwegian polish
    pole greek greeks roman romans turkish turk turks chinese japanese egyptian arab arabs african
    africans negro jew jews jewish christian christians catholic catholics protestant protestants
    puritan puritans mohammedan moslem muslim hindu hindoo gypsy gipsy gypsies gothic latin hebrew
    british briton britons european europeans asiatic yankee yankees tory tories whig whigs
    parliament congress house commons peerage government state states empire republic union
    company society academy museum gazette times post telegraph herald chronicle north south east
    west northern southern eastern western latitude longitude chapter volume book part section
    letter preface contents illustration note appendix epilogue prologue fig figure vol mss p ps
    esq ltd co inc n.b a.m p.m sir madam ma'am mr mrs ms dr miss gentlemen ladies gentleman lady
    london paris rome berlin vienna madrid lisbon dublin edinburgh glasgow liverpool manchester
    birmingham bristol bath brighton oxford cambridge york portsmouth plymouth southampton dover
    boston chicago philadelphia washington baltimore orleans francisco california texas virginia
    carolina georgia kentucky missouri ohio illinois pennsylvania massachusetts england scotland
    ireland wales britain france germany italy spain portugal russia prussia austria hungary
    holland netherlands belgium switzerland sweden norway denmark poland greece turkey egypt india
    china japan africa america europe asia australia canada mexico brazil peru cuba jamaica
    antilles indies arabia persia syria palestine jerusalem bethlehem babylon athens troy venice
    florence naples milan genoa geneva brussels antwerp amsterdam hamburg dresden leipzig munich
    petersburg moscow constantinople cairo alexandria calcutta bombay sydney melbourne thames
    seine rhine danube nile mississippi atlantic pacific mediterranean channel alps pyrenees
    yorkshire lancashire kent surrey sussex essex hampshire wiltshire dorset devon devonshire
    cornwall somerset somersetshire norfolk suffolk derbyshire hertfordshire northamptonshire
    gloucestershire shropshire cheshire warwickshire oxfordshire buckinghamshire middlesex
    piccadilly strand westminster whitehall mayfair soho chelsea kensington bloomsbury hampstead
    greenwich windsor richmond deutschland frankreich österreich preußen pommern bayern sachsen
    wien köln münchen montag dienstag mittwoch donnerstag freitag samstag sonntag gott himmel
    earth mars venus jupiter saturn moon sun world greenland iceland siberia persian
    indiana kansas nebraska nevada colorado dakota oregon montana alaska yukon klondike
    """
)
"""Days, months, peoples, places, powers above, parts of books: capitals without a person."""

WEEKDAYS: Final = word_table(
    """monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag
    freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche"""
)
"""Before a name they belong to the time: "On Friday Augustin Pell"."""

PLACE_NOUNS: Final = word_table(
    """street streets road lane square alley avenue terrace crescent row place gardens garden gate
    house hall park court castle palace manor lodge cottage villa farm inn tavern hotel club
    office bank bridge station station-house market church chapel abbey cathedral minster college
    school university hospital asylum workhouse prison gaol jail tower wharf quay dock docks port
    harbour harbor bay cape gulf strait sea ocean lake river creek brook falls island islands isle
    isles mount mountain mountains hill hills valley vale moor moors heath marsh forest wood woods
    desert beach point head county city town village parish district province territory state
    coast land fort camp arms theatre theater opera circus company railway line act bill review
    magazine times society committee regiment brigade navy army fund ball club saddle day eve
    night street-corner lighthouse mill works mine pit cave grange chase common green"""
)
"""A name that ends in one of these is a place, a house or a body: "Baskerville Hall"."""

COURTESIES: Final = word_table("mr mrs ms miss dr sir madame mme mademoiselle mlle monsieur")
"""Titles that only ever begin a name."""

ROLES: Final = word_table(
    """king queen prince princess duke duchess marquis marquise count countess baron emperor
    empress doctor professor captain colonel admiral general inspector judge president secretary
    squire bishop archbishop cardinal governor chancellor"""
)
"""Titles that may stand for the person who bears them: "the Queen", "the Professor"."""

OF_HEADS: Final = word_table(
    """king queen duke duchess earl count countess lord lady prince princess baron baroness
    marquis marquise bishop archbishop knight knave witch wizard master maid emperor empress"""
)
"""Words whose "of" belongs to the name: "Duchess of Monmouth"."""

SPEECH_VERBS: Final = word_table(
    """said says say replied cried asked answered exclaimed whispered returned added continued
    observed remarked murmured muttered shouted screamed began resumed rejoined retorted repeated
    inquired enquired declared demanded suggested interrupted called growled groaned sighed
    laughed sobbed gasped snapped pleaded begged urged protested explained admitted agreed
    insisted announced told responded ejaculated interposed put quoth thought wondered faltered
    stammered roared bellowed hissed drawled chuckled echoed proceeded went
    sagte sprach rief fragte antwortete erwiderte versetzte meinte flüsterte murmelte lachte
    entgegnete wiederholte bemerkte dachte schrie nickte
    dit répondit demanda cria s'écria reprit murmura ajouta répliqua fit pensa
    dijo respondió preguntó exclamó gritó murmuró replicó contestó añadió
    disse rispose domandò esclamò gridò mormorò chiese"""
)

PERSON_VERBS: Final = word_table(
    """looked smiled nodded turned knew felt sat laughed sighed wished wanted walked ran took gave
    got stood shook rose raised lifted opened closed drew held caught kissed wept cried sprang
    leaned leant stared glanced gazed glared listened heard saw watched waited hesitated paused
    shrugged frowned blushed grinned winked started stopped stepped rushed hurried jumped leapt
    pulled pushed seized grasped threw flung put laid placed touched rubbed scratched wiped
    remembered forgot believed supposed hoped feared loved hated liked preferred decided
    determined resolved tried endeavoured managed promised consented refused obeyed understood
    wrote read spoke talked told ate drank slept woke died lived married loves thinks knows looks
    smiles nods sits wants has had having did does didn't couldn't wouldn't hadn't could would
    might must should never always who whose himself herself too
    kam ging stand saß nahm gab sah lächelte wollte konnte mußte musste trat lief blieb hörte
    schwieg wußte wusste schüttelte reichte setzte erhob wandte begann war ist hatte hat
    regarda sourit prit alla vint était avait est a savait voulait
    miró sonrió fue era estaba había tenía guardò sorrise era aveva"""
)
"""What a person does; places and things do it seldom."""

PLACE_PREPOSITIONS: Final = word_table(
    "in at into near through across round around inside outside throughout within via"
)
COMPANY_WORDS: Final = word_table(
    "with by for and but or than like poor dear old young little brother sister cousin friend son "
    "daughter wife husband father mother uncle aunt named called name is was that when while if "
    "because as where what told asked saw met let made loved married see tell ask"
)
"""Words that stand before persons more than before places."""

DETERMINERS: Final = word_table(
    "the a an this that these those his her my our your their its every each no any some such "
    "der die das den dem des ein eine einer le la les un une el los las il lo gli"
)

PARTICLES: Final = word_table(
    "de du des d' la le van von zu zum da di del della dos ibn bin al el y ten ter"
)
"""Lower-case words inside a name."""
