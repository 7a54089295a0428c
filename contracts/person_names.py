"""What finding names and telling persons apart must agree on: titles, and given names' gender.

Public knowledge of the languages, frozen with the index version; keys are case-folded and
without a final dot.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

MALE: Final = "m"
FEMALE: Final = "f"
UNKNOWN: Final = ""

_TITLES: Final = {
    MALE: """mr mister sir lord master esquire messrs monsieur m don señor senor signor signore
        herr herrn baron baronet count earl duke marquis marquess viscount prince king emperor
        father brother uncle friar abbé abbe bishop archbishop cardinal pope parson vicar
        grandfather grandpa granddad squire père pere frère frere onkel vater graf freiherr
        fürst prinz könig kaiser pan gospodin""",
    FEMALE: """mrs miss ms lady madam madame mme mademoiselle mlle mistress dame doña dona señora
        senora señorita senorita signora signorina donna frau fräulein fraulein baroness
        countess duchess marchioness marquise princess queen empress mother sister aunt auntie
        aunty grandmother grandma granny abbess tante mutter gräfin baronin freifrau fürstin
        prinzessin königin kaiserin pani mère mere""",
    UNKNOWN: """dr doctor prof professor capt captain col colonel maj major gen general lieut lt
        lieutenant sergeant sergt sgt corporal private commander commodore admiral ensign
        inspector detective constable superintendent officer sheriff marshal deputy judge
        justice chancellor president senator governor mayor alderman councillor minister
        secretary chief rev reverend rabbi deacon dean canon provost nurse
        cousin comrade citizen chairman hauptmann oberst doktor professorin leutnant rittmeister
        major-general lieutenant-colonel stationmaster stationmistress mate""",
}

_GIVEN_NAMES: Final = {
    MALE: """aaron abel abner abraham abram adam adolf adolphe adrian alan albert albin alec aleck
        alessandro alex alexander alexandre alexei alexis alf alfie alfred algernon alistair
        allan alphonse ambrose amos anatole anders andre andreas andrew andy angus anselm anthony
        antoine anton antonio archibald archie arnold arthur artur augustin augustus
        barnabas barnaby barney bartholomew basil ben benedict benjamin bennie benny bernard
        bernhard bert bertie bertram bill billy bob bobby boris brian bruce bruno caleb carl
        carlo carlos cecil cedric charles charley charlie chester chris christian christopher
        claude claudius clement clifford clive conrad constantine cornelius curt cuthbert cyprian
        cyril cyrus dan daniel danny dave david davy dennis denis derek dick diego dietrich
        dimitri dmitri dominic donald dorian douglas duncan ebenezer ed eddie edgar edmond edmund
        eduard edvin edward edwin egbert elias elijah ellis emil emile enoch enrico ephraim eric
        erich ernest ernst esau eugene evan ezekiel ezra felix ferdinand fernando fitzwilliam
        francis francisco francois françois frank franklin franz fred freddie freddy frederic
        frederick friedrich fritz gabriel gaston geoffrey george georges gerald gerard gilbert
        giles giovanni giuseppe godfrey gordon graham gregor gregory gus gustav guy hal hank hans
        harold harry hector heinrich henri henry herbert hercule herman hermann hilary hiram
        horace howard hubert huck huckleberry hugh hugo humphrey ian ichabod ignatius igor ira
        isaac isaiah israel ivan jabez jack jacob jacques jake james jan jason jasper jean jed
        jefferson jeffrey jem jeremiah jeremy jerome jerry jesse jim jimmy joachim job joe joel
        johann johannes john johnny jonah jonas jonathan jose josef joseph joshua josiah juan
        jude jules julian julius karl keith kenneth konrad kurt lambert lancelot larry laurence
        lawrence lazarus lemuel leo leon leonard leonce leopold leslie lester levi lewis lionel
        llewellyn lorenzo louis lucas lucian lucien ludwig luigi luis luke luther malcolm manuel
        marc marcel marco marcus mario mark marmaduke martin matt matthew matthias maurice max
        maximilian maxwell melchior michael michel miguel mike mikhail miles mordecai morris
        mortimer moses nat nathan nathaniel ned neil neville nicholas nick nicolas nigel nikolai
        noah noel norman obadiah oliver oscar oskar oswald otto owen pablo patrick paul pedro
        percival percy perry peter phil philip philippe phineas pierre pip quentin ralph randolph
        raoul raphael ray raymond reginald reuben rex richard rob robert robin roderick rodney
        rodolphe roger roland rollo ronald rory rowland roy rudolf rudolph rufus rupert sam sammy
        sampson samson samuel saul sebastian septimus sergei seth sherlock sid sidney siegfried
        sigmund silas silvester simon sol solomon stanley stefan stephan stephen steve steven
        stuart sydney tad ted teddy terence thaddeus theo theobald theodor theodore theophilus
        thomas tim timothy titus tobias toby tom tommy tristram uriah valentine vernon victor
        vincent virgil vladimir waldo walt walter warren watson wilfred wilhelm will william
        willie willy winston wolfgang xavier yuri zachariah zachary
        geert georg günther günter heinz jürgen klaus uwe dieter helmut hermann egon ulrich walther
        jean-paul jean-jacques pierre-louis jörg matthäus alonzo dagobert""",
    FEMALE: """abigail ada adela adelaide adele adeline adèle agatha aggie agnes aileen alexandra
        alice alicia aline alison amanda amber amelia amy anastasia andrea angela angelica
        angelina anita ann anna annabel anne annette annie antoinette antonia arabella astrid
        aurelia aurora barbara beatrice beatrix becky belinda bella belle berenice bernice bertha
        bess bessie bessy beth betsy betty bettina bianca biddy blanche brenda bridget brigid
        camilla carla carmen carol caroline carrie cassandra caterina catharine catherine cathy
        cecile cecilia cecily celeste celia charity charlotte chloe christina christine cicely
        clara clarice clarissa claudia clemence clemency clementina clementine clotilde constance
        cora cordelia cornelia cosette cynthia daisy daphne deborah deirdre delia delphine denise
        diana dinah dolly dolores dora dorcas doris dorothea dorothy ebba edith edna edwina effi
        effie eileen elaine eleanor eleanora elena elinor eliza elizabeth ella ellen elsa else
        elsie elspeth elvira emily emma emmeline enid erica erika estella estelle esther ethel
        eugenia eugenie eunice eva evangeline eve evelina eveline evelyn evie fanny faith felicia
        felicity fiona flora florence frances francesca freda frieda gabriela gabrielle gemma
        genevieve georgia georgiana georgina geraldine gertrude gerty gina gladys gloria grace
        greta gretchen griselda gudrun guinevere gwen gwendolen gwendoline hannah harriet hattie
        hazel hedda hedwig heidi helen helena helene helga henrietta hermia hermione hester hetty
        hilda hildegard honor hope hortense ida imogen inez ines ingrid irene iris isabel
        isabella isadora isolde ivy jane janet janey janice jeanette jeanne jemima jennie jennifer
        jenny jessica jessie jill jo joan joanna josephine joyce juanita judith judy julia juliana
        julie juliet juliette karen kate katharine katherine kathleen katie katrina katy kitty
        lally laura laurel lavinia leah leila lena leonora letitia letty lettice lila lilian
        lillian lily lina linda lisa lisbet lisette liz lizzie lizzy lois lola lottie lotte lou
        louisa louise lucia lucie lucilla lucille lucinda lucretia lucy lulu lydia mabel madeleine
        madeline madge maggie magdalen magdalena maisie mamie marcella marcia margaret margery
        margot marguerite maria marian mariana marianne marie marietta marigold marilla marina
        marion marjorie marjory marta martha mary mathilda mathilde matilda mattie maud maude
        mavis may meg melissa mercedes mercy meta mildred millicent millie mina minna minnie
        mimi mirabel miranda miriam moira mollie molly monica muriel myra myrtle nadia nan nance
        nancy naomi natalie natasha nell nellie nelly nettie nina nora norah octavia odette olga
        olive olivia olympia ophelia ottoline pamela pandora parthenia patience patricia patty
        paula paulina pauline pearl peggy penelope petra phoebe phyllis polly portia priscilla
        prudence prue queenie rachael rachel ramona rebecca regina rhoda rita roberta rosa
        rosabel rosalie rosalind rosamond rose rosemary rosie roswitha rowena roxana ruby ruth
        sabina sabine sabrina sadie sallie sally salome samantha sandra sappho sara sarah selina
        selma serena sheila sibyl sidonie silvia sissy sonia sophia sophie sophy stella susan
        susanna susannah susie suzanne sybil sylvia tabitha tamara tanya teresa tess tessa thea
        thekla theodora theresa therese thérèse tilda tilly topsy ulrike una ursula valeria
        valerie vanessa vera verena verity veronica victoria vida viola violet virginia vivian
        wanda wendy wilhelmina winifred winnie yvette yvonne zelda zoe zuleika
        johanna katharina elisabeth margarete margarethe hertha lene luise friederike gisela käthe
        annemarie ingeborg brigitte ursel lieselotte liese gretel hulda marietta cäcilie""",
}


def _by_word(groups: Mapping[str, str]) -> Mapping[str, str]:
    return MappingProxyType({word: key for key, words in groups.items() for word in words.split()})


TITLES: Final = _by_word(_TITLES)
"""Title to the gender it tells, `UNKNOWN` where it tells none."""

GIVEN_NAMES: Final = _by_word(_GIVEN_NAMES)
"""Common given name to its usual gender; a name that is not here says nothing."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SMALL_WORDS: Final = _words(
    "of the de du des d la le van von der den zu zum da di del della dos ibn bin al el y ten"
)
"""Words inside names that tell nobody from anybody."""

_DETERMINERS: Final = _words(
    """the a an this that these those our my your yer his her its their some der die das den dem
    des ein eine einen einem einer dieser diese dieses mein meine unser unsere le la les un une ce
    cet cette mon notre"""
)


def without_determiner(name: str) -> str:
    """Return what is told of a person, "poor blind man" of "a poor blind man"."""
    words = name.split()
    while len(words) > 1 and words[0].casefold() in _DETERMINERS and _opens(words):
        words = words[1:]
    return " ".join(words)


def described(name: str) -> bool:
    """Say whether a person is called by a description ("the stranger") instead of a name.

    That is where a word tells something without a capital: titles ("the doctor") and small words
    ("the Count of Paris") are not meant. Scripts without capitals know no descriptions.
    """
    told = without_determiner(name).split()
    return any(
        word[0].islower()
        and not any(letter.isupper() for letter in word)
        and word not in SMALL_WORDS
        and word.rstrip(".") not in TITLES
        for word in told
    )


def _opens(words: list[str]) -> bool:
    """Say whether a first word that may be a determiner is one: in "An Li" it is none."""
    return words[0].islower() or words[0] == "The" or words[1][0].islower()
