"""Word lists of English extraction: closed classes and small samples of open ones, no more than the rules need."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FIRST = _words("i me my mine myself")
FIRST_PLURAL = _words("we us our ours ourselves")
SECOND = _words("you your yours yourself yourselves u ur ya")
THIRD = {
    "he": "m", "him": "m", "his": "m", "himself": "m", "she": "f", "her": "f", "hers": "f", "herself": "f",
    "it": "n", "its": "n", "itself": "n", "they": "p", "them": "p", "their": "p", "theirs": "p", "themselves": "p",
}  # fmt: skip
DEMONSTRATIVE = _words("this that these those")

FILLERS = _words(
    "and but so or oh well yeah yes yep yup no nope wow hey hi hello ok okay hmm haha lol ah aww anyway anyways actually also plus btw"
    " honestly basically luckily sure totally absolutely definitely exactly right thanks ugh oops alas then still nah true indeed too fyi"
    " alright please sadly fortunately unfortunately however therefore"
    " great good nice cool awesome wonderful perfect additionally moreover besides certainly firstly secondly thirdly lastly otherwise similarly likewise anyhow"
)
"""Said before a sentence, adding nothing to it."""
LEADS = (
    "of course", "for example", "for instance", "by the way", "speaking of which", "at first", "to be honest", "in fact", "as you know",
    "you know", "i mean", "as a matter of fact", "in that case", "after all", "at the same time", "on top of that", "in addition", "next time ,",
    "as for me ,", "as for myself ,", "at least", "on another note ,", "on a different note ,", "on the other hand ,", "by the looks of it ,",
    "no problem ,", "no thanks ,", "no thank you ,", "no worries ,", "my pleasure ,",
)  # fmt: skip
WEAK_ADVERBS = _words("just also actually basically literally honestly totally definitely really too lately")

HYPOTHETICAL_MARKS = _words("if unless whether lest")
MODALS_UNREAL = _words("would could should 'd ought must shall")
REPORT = _words("say tell claim ask reply answer joke shout whisper insist suggest warn mention write call argue complain announce accuse")
UNREAL_VERBS = _words("wish imagine pretend suppose bet doubt hope dream guess wonder assume")
HEARSAY = _words("rumour rumor claim myth allegation accusation gossip hearsay suspicion lie fib")
"""What one tells of oneself as one of these is not so, or not said to be."""
UNTRUE = _words("false untrue wrong nonsense rubbish ridiculous absurd silly lie lies myth joke fib invention exaggerated")
HEDGES = _words("think guess suppose maybe perhaps probably might may seem likely apparently reckon")
EMPTY_VERBS = _words(
    "thank appreciate agree mean wonder wish bet guess hear see understand know hope suppose assume doubt wait relate promise"
    " apologize apologise welcome congratulate let imagine remember forget tell say ask seem notice"
)
"""Verbs of the speaker's that carry talk, not news ("I see", "I hope so", "I appreciate it")."""
LIGHT_VERBS = _words("be do have get go see know make take try help say hear come give let find keep")
NEWS_VERBS = _words("see hear tell ask forget notice welcome")
"""Of these, what is told of once ("I saw a heron") is news after all."""
REACTIONS = _words("glad sorry happy proud excited sure pleased delighted thrilled honored grateful thankful curious impressed touched")
"""With what the listener said or did, these answer it and tell nothing else."""
EMPTY_NOUNS = _words(
    "thing stuff lot time way fun bit kind sort day moment one something anything nothing everything someone everyone people idea point"
    " question word help advice support luck reminder tip thought while part side case reason chance hand course place person"
    " life look try mean opportunity kindness experience"
)
UNSEIZABLE = _words(
    "news story plan feeling shot pic photo picture goal dream event trip smile face spirit attitude passion name view meaning memory journey"
    " path road hobby job kind type detail update color colour style shape mood hike visit work effort project success choice group practice habit change lesson"
    " value skill session class tip breed place effect"
)
"""What "it" may mean, but as often does not: the photo or what is in it, the trip or how it went."""

MONTHS = _words("january february march april may june july august september october november december")
WEEKDAYS = _words("monday tuesday wednesday thursday friday saturday sunday")
SEASONS = _words("spring summer autumn fall winter")

MALE_KIN = _words(
    "brother father dad daddy papa son husband boyfriend uncle nephew grandfather grandpa grandson fiancé stepfather stepbrother"
    " stepson father-in-law brother-in-law son-in-law stepdad granddad grandad hubby"
)
FEMALE_KIN = _words(
    "sister mother mom mum mommy mummy mama daughter wife girlfriend aunt auntie niece grandmother grandma granny granddaughter fiancée"
    " stepmother stepsister stepdaughter mother-in-law sister-in-law daughter-in-law stepmom nana gran"
)
TITLES = _words("mr mrs ms miss dr sir lady lord madam mr. mrs. ms. dr.")
RANKS = _words("sergeant officer detective inspector agent captain lieutenant constable corporal commander major colonel deputy")
VERBS_OF_PLANS = _words("plan want hope intend mean aim")
PARTNERS = _words("husband wife partner boyfriend girlfriend fiancé fiancée fiance fiancee spouse hubby")
KIN = (
    MALE_KIN
    | FEMALE_KIN
    | _words("parent child kid baby twin sibling cousin grandparent grandchild grandkid relative in-law toddler family stepchild triplet")
) - PARTNERS
FRIENDS = _words(
    "friend bestie colleague coworker co-worker roommate flatmate housemate neighbor neighbour boss mentor teacher classmate teammate buddy"
    " pal mate coach therapist tutor supervisor landlord landlady"
)
PETS = _words(
    "dog cat greyhound whippet collie corgi pug bulldog sheepdog lurcher mongrel chihuahua"
    " puppy kitten pup kitty hamster rabbit bunny parrot budgie canary goldfish fish tortoise turtle snake lizard gecko ferret horse"
    " pony rat mouse chinchilla hedgehog hen chicken duck goat donkey dachshund poodle labrador retriever beagle terrier spaniel tabby pet"
    " parakeet cockatiel iguana"
)
PERSONS = KIN | PARTNERS | FRIENDS | _words("man woman guy girl boy lady gentleman doctor nurse manager kids children")

NUMBERS = _words(
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
)

NATIONALITIES = _words(
    "american british english scottish welsh irish french german italian spanish portuguese dutch belgian swiss austrian danish swedish"
    " norwegian finnish icelandic polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian serbian croatian slovenian"
    " bosnian albanian lithuanian latvian estonian chinese japanese korean vietnamese thai indian pakistani bangladeshi nepali indonesian"
    " malaysian filipino filipina singaporean taiwanese mongolian iranian iraqi syrian lebanese israeli palestinian egyptian moroccan"
    " algerian tunisian nigerian ghanaian kenyan ethiopian somali ugandan canadian mexican brazilian argentinian argentine chilean peruvian"
    " colombian venezuelan cuban jamaican australian european african asian scandinavian kurdish armenian georgian persian arab catalan"
    " basque maltese swede dane finn pole turk scot afghan bolivian"
)
LANGUAGES = NATIONALITIES | _words(
    "arabic mandarin cantonese hindi urdu bengali tamil telugu punjabi farsi hebrew swahili latin esperanto gaelic tagalog malay yoruba zulu"
    " afrikaans yiddish sanskrit"
)
FAITHS = _words("christian catholic protestant muslim jewish buddhist hindu sikh atheist agnostic orthodox pagan quaker")
CONVICTIONS = _words("pacifist feminist")
SIGNS = _words("aries taurus gemini cancer leo virgo libra scorpio sagittarius capricorn aquarius pisces")
TRAITS = _words(
    "shy introverted extroverted stubborn patient impatient ambitious lazy clumsy forgetful punctual sociable competitive sentimental talkative"
    " outgoing easygoing superstitious optimistic pessimistic introvert extrovert optimist pessimist perfectionist workaholic homebody"
    " bookworm daydreamer procrastinator"
)
"""What somebody is like; words that are a mood as often are not here."""
DIETS = _words("vegetarian vegan pescatarian pescetarian")
GENDERS = _words("woman man girl boy male female non-binary nonbinary trans transgender genderfluid agender")
PARTNER_STATES = _words("single married engaged divorced widowed")
TELLING = NATIONALITIES | FAITHS | CONVICTIONS | DIETS | PARTNER_STATES
"""Single words that say a lasting thing of whoever "is" them."""

TRADES = _words(
    "nurse doctor surgeon vet midwife carpenter plumber mechanic welder farmer chef cook waiter waitress bartender clerk accountant lawyer"
    " judge pilot sailor soldier guard police firefighter paramedic architect journalist student intern apprentice potter smith blacksmith"
    " tailor seamstress florist baker butcher fisherman shepherd knight monk priest nun librarian professor scientist chemist geologist"
    " analyst developer programmer freelancer entrepreneur housewife homemaker cashier barista secretary assistant administrator"
    " officer actor actress model dancer singer musician artist poet author translator interpreter guide postman courier diver merchant"
    " trader healer ranger bookbinder beekeeper gardener mason roofer retiree pensioner counselor counsellor consultant technician"
    " surveyor inspector sophomore freshman undergraduate postgraduate nanny coder cartographer physiotherapist representative specialist"
)
TRADE_ENDINGS = ("ologist", "ographer", "ician", "grapher", "maker", "keeper", "smith", "teacher", "engineer", "manager", "designer")
NO_TRADES = _words("peacemaker troublemaker merrymaker goalkeeper")

ANIMALS = PETS | _words(
    "animal bird owl crow raven gull seagull eagle spider insect bee wasp moth bat bear wolf fox deer elephant penguin squirrel whale dolphin seal"
    " otter shark frog toad swan goose pigeon cow sheep pig"
)
MUSIC = _words("music jazz blues opera techno reggae punk rap hip-hop k-pop ballad symphony")

FOODS = _words(
    "food meal breakfast lunch dinner cuisine dish snack dessert bread toast butter cheese milk yogurt yoghurt cream egg omelette omelet"
    " meat beef pork lamb chicken turkey duck bacon ham sausage steak burger hamburger meatball fish salmon tuna cod shrimp prawn crab"
    " lobster oyster mussel squid seafood sushi ramen noodle pasta spaghetti lasagna lasagne ravioli gnocchi pizza rice risotto paella"
    " curry soup stew broth salad sandwich taco burrito dumpling pancake waffle porridge oatmeal cereal granola fruit apple pear plum"
    " peach apricot cherry grape orange lemon lime grapefruit banana mango pineapple kiwi melon watermelon strawberry raspberry blueberry"
    " blackberry berry fig date coconut vegetable veggie potato tomato cucumber carrot onion garlic leek spinach lettuce cabbage broccoli"
    " cauliflower pepper chili eggplant aubergine zucchini courgette mushroom pea bean lentil chickpea corn olive avocado pumpkin squash"
    " beetroot radish celery asparagus coriander cilantro parsley basil mint ginger cinnamon vanilla tofu hummus falafel kebab nut almond"
    " walnut hazelnut peanut pistachio cashew chocolate candy sweet cake cupcake cookie biscuit pie tart brownie muffin croissant bagel"
    " doughnut donut pudding custard honey jam marmalade syrup sugar salt cheesecake ice-cream gelato popcorn crisp chip fries licorice"
    " liquorice marzipan anchovy sardine herring kipper mackerel trout haddock eel kimchi tiramisu barbecue bbq spice sauce sourdough gluten dairy"
)
DRINKS = _words(
    "drink coffee tea espresso latte cappuccino mocha cocoa juice lemonade soda cola coke water smoothie milkshake wine beer ale cider whisky"
    " whiskey vodka rum gin tequila champagne cocktail mead sake kombucha matcha"
)

THINGS = _words(
    "car bike bicycle motorbike motorcycle scooter van truck boat canoe kayak guitar piano violin cello flute drum ukulele saxophone trumpet"
    " harmonica laptop computer phone tablet camera telescope microscope bookshop shop cafe bakery farm garden greenhouse house cottage cabin"
    " apartment flat tent sword dagger shield lantern necklace ring watch locket bracelet compass map typewriter sewing loom kiln easel"
    " skateboard surfboard snowboard ski drone console record vinyl collection bookshelf sofa desk tv television printer oven"
    " backpack suitcase clarinet accordion"
)
AILMENTS = _words(
    "cold flu fever headache migraine cough asthma diabetes cancer anxiety depression insomnia allergy hayfever arthritis epilepsy anemia"
    " infection toothache backache stomachache concussion pneumonia covid bronchitis hangover adhd autism ptsd tinnitus eczema vertigo"
    " sprain fracture injury"
)
BODY = _words(
    "arm leg foot ankle knee wrist hand finger toe back neck shoulder hip head nose rib elbow tooth stomach throat ear eye heart lung jaw"
)
ILL = _words(
    "sick ill unwell feverish nauseous dizzy injured pregnant hungover diabetic asthmatic deaf blind coeliac celiac epileptic anaemic anemic seasick carsick"
    " colourblind colorblind"
)
MOODS = _words(
    "tired exhausted happy sad angry bored lonely anxious nervous excited stressed overwhelmed depressed upset worried frustrated annoyed"
    " scared relieved content cheerful miserable restless confused embarrassed ashamed jealous grateful hopeful optimistic melancholic"
    " homesick heartbroken relaxed calm thrilled ecstatic furious sleepy swamped down low gloomy disappointed lost peaceful moody"
    " nostalgic drained panicked terrified irritated devastated joyful"
)

LIKING = _words("like love enjoy adore prefer")
DISLIKING = _words("hate dislike detest loathe despise")
INGEST = _words("eat drink cook taste")
PLEASURES = _words(
    "sea ocean beach mountains outdoors rain snow sun piano violin guitar cello flute theatre theater opera cinema forest woods gym"
)
"""Loved in general although they stand with an article."""
MAKING = _words("make paint draw write build bake cook buy find get knit sew carve compose record design plant")
SKILL_VERBS = _words(
    "play swim cook bake sing dance draw paint code program drive ride ski sew knit juggle whistle weld repair skate surf sail fence sculpt"
    " crochet climb type read speak hunt fish"
)
WINS = _words("win publish earn complete graduate")
GOAL_VERBS = _words(
    "become be learn open start write publish own build study master visit travel run found create move adopt retire win improve save join"
)
NOT_ACTIVITY = _words(
    "die starve kill freeze"
    "go feel think look plan hope wonder try have get be start begin do keep say tell talk kid joke come leave guess consider live work mean"
    " use become turn see hear love enjoy wish ask suffer call expect doubt need want wait stay sit stand lie experience struggle head move"
)
NOT_PLACES = _words(
    "love trouble shock hurry thirties forties twenties fifties sixties teens need pain relationship charge mood middle awe favor favour"
    " agreement luck risk peace home dark shape control danger rush debt tears moment process way time age loss ease end fire board point"
    " edge fence diet verge same group side mind sense touch search mess state phase minute hour day week month year season recovery team"
    " band stage level limbo zone holiday vacation break leave duty job call phone position place situation case world heart roll track"
    " term case spirit condition best worst least last first"
)
