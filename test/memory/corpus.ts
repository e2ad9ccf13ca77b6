/**
 * Sixty notes of a small team, and two questions for each: one with words of the note, one that means it in other words.
 */

/** A note, and the questions that it answers. */
export interface CorpusNote {
  readonly namespace: string;
  readonly note: string;
  readonly keywords: string;
  readonly paraphrase: string;
}

const ROWS: readonly (readonly [namespace: string, note: string, keywords: string, paraphrase: string])[] = [
  [
    "ops/deploy",
    "The staging cluster is deployed from the release branch every Tuesday at ten.",
    "staging cluster release branch",
    "on which weekday does the test environment get the newest version?",
  ],
  [
    "ops/backup",
    "Database backups run nightly and are kept for thirty days in the vault bucket.",
    "database backups vault bucket",
    "how long can we still restore old copies of our tables?",
  ],
  [
    "ops/oncall",
    "Whoever is on call carries the pager from Friday noon to Friday noon.",
    "on call pager friday",
    "when does the emergency duty pass to the next colleague?",
  ],
  [
    "ops/certs",
    "TLS certificates are renewed by certbot on the gateway; port 80 must stay open for it.",
    "tls certificates certbot gateway",
    "why may we not block plain web traffic at the edge of the network?",
  ],
  [
    "ops/logs",
    "Logs older than two weeks move to cold storage and need a ticket to be read.",
    "logs cold storage ticket",
    "how do I get at last month's server output?",
  ],
  [
    "ops/dns",
    "DNS records are changed only through the terraform repository.",
    "dns records terraform",
    "where do I add a new host name for our domain?",
  ],
  [
    "ops/limits",
    "The API gateway throttles each key at one hundred requests a second.",
    "api gateway throttles requests",
    "how many calls may a customer make before being slowed down?",
  ],
  [
    "ops/incident",
    "During an incident one person writes the timeline and nobody else posts in the channel.",
    "incident timeline channel",
    "who documents what happens while the system is down?",
  ],
  [
    "ops/secrets",
    "Credentials live in the vault; a lost laptop means rotating all of them the same day.",
    "credentials vault laptop rotating",
    "somebody's computer was stolen, what has to be changed?",
  ],
  [
    "ops/cost",
    "The largest bill is egress traffic from the image service.",
    "bill egress traffic image",
    "what do we spend the most money on in the cloud?",
  ],
  [
    "people/anna",
    "Anna prefers written questions and does not take calls before eleven.",
    "anna prefers written questions",
    "how should I contact the colleague who dislikes telephones in the early hours?",
  ],
  [
    "people/ravi",
    "Ravi reviews every change to billing, and is away in August.",
    "ravi reviews billing",
    "who has to look at modifications of the invoicing code?",
  ],
  [
    "people/mei",
    "Mei is allergic to peanuts; order lunch from the Thai place without them.",
    "mei allergic peanuts",
    "what must be left out of the food for the team meal?",
  ],
  [
    "people/tomas",
    "Tomas wants short pull requests: two hundred lines at most.",
    "tomas short pull requests",
    "how big may a patch be for the reviewer who likes them small?",
  ],
  [
    "people/olga",
    "Olga speaks Russian, German and a little Portuguese.",
    "olga speaks russian german",
    "who could translate a letter from Moscow?",
  ],
  [
    "people/juan",
    "Juan's birthday is on the ninth of March, and he likes dark chocolate.",
    "juan birthday march chocolate",
    "which sweet gift would please the man born in early spring?",
  ],
  [
    "people/kim",
    "Kim works four days a week and is never in on Wednesdays.",
    "kim works four days wednesdays",
    "who is part time and absent in the middle of the week?",
  ],
  [
    "people/lars",
    "Lars keeps the keys of the server room in the blue cabinet.",
    "lars keys server room cabinet",
    "how do I get into the place where the machines stand?",
  ],
  [
    "people/nadia",
    "Nadia decides about the budget for conferences and training.",
    "nadia budget conferences training",
    "whom do I ask for money to attend a course?",
  ],
  [
    "people/petr",
    "Petr left in June; his accounts were handed to Sofia.",
    "petr accounts sofia",
    "who took over from the engineer who quit in summer?",
  ],
  [
    "code/style",
    "We indent with two spaces and never use tabs.",
    "indent spaces tabs",
    "what whitespace should begin a nested line?",
  ],
  [
    "code/errors",
    "Errors cross module borders as values; exceptions are for bugs.",
    "errors values exceptions bugs",
    "should a function throw when a file is missing?",
  ],
  [
    "code/tests",
    "A test that fails now and then is deleted or repaired within a day.",
    "test fails deleted repaired day",
    "what is done about flaky checks?",
  ],
  [
    "code/branches",
    "Feature branches live for three days at most and are squashed when merged.",
    "feature branches squashed merged",
    "how old may unfinished work get before it has to be integrated?",
  ],
  [
    "code/naming",
    "Booleans begin with is or has; functions begin with a verb.",
    "booleans begin functions verb",
    "how do I call a variable that can be true or false?",
  ],
  [
    "code/database",
    "Migrations must be reversible, and large tables are changed in batches of a thousand rows.",
    "migrations reversible batches rows",
    "how do I alter a huge schema without downtime?",
  ],
  [
    "code/frontend",
    "The web client is written in Preact because the bundle has to stay under sixty kilobytes.",
    "preact bundle kilobytes",
    "why did we choose such a small library for the user interface?",
  ],
  [
    "code/cache",
    "The cache key includes the locale, or Spanish users see English prices.",
    "cache key locale prices",
    "why do people sometimes get a page in the wrong language?",
  ],
  [
    "code/time",
    "Timestamps are stored in UTC and shown in the zone of the reader.",
    "timestamps utc zone",
    "in which format do we keep dates internally?",
  ],
  [
    "code/money",
    "Amounts of money are integers of cents, never floating point.",
    "amounts money integers cents",
    "which number type is right for a price?",
  ],
  [
    "code/queue",
    "The job queue delivers at least once, so every handler must be idempotent.",
    "job queue idempotent handler",
    "what happens when a background task arrives twice?",
  ],
  [
    "code/images",
    "Uploads are resized to twelve hundred pixels and stripped of their metadata.",
    "uploads resized pixels metadata",
    "do we keep the place where a photo was taken?",
  ],
  [
    "code/search",
    "Full text search ignores accents, so cafe finds café.",
    "full text search accents",
    "do I need to type diacritics to get results?",
  ],
  [
    "code/auth",
    "Sessions expire after twenty minutes without activity.",
    "sessions expire minutes activity",
    "why am I logged out when I come back from lunch?",
  ],
  [
    "code/email",
    "Mails are sent by the notifier, and bounces switch the address off after three tries.",
    "mails notifier bounces address",
    "why does a customer no longer get our newsletter?",
  ],
  [
    "code/pdf",
    "Invoices are rendered to PDF by a headless browser with a page limit of forty.",
    "invoices pdf headless browser",
    "how do we turn a bill into a printable document?",
  ],
  [
    "code/flags",
    "Feature flags are removed two releases after they are on for everybody.",
    "feature flags removed releases",
    "when do we clean up switches that hide unfinished functions?",
  ],
  [
    "code/deps",
    "New dependencies need two approvals and a licence check.",
    "dependencies approvals licence",
    "may I simply add an open source package?",
  ],
  [
    "code/locks",
    "Take the account lock before the order lock, or the two deadlock.",
    "account lock order deadlock",
    "in which sequence must mutexes be acquired?",
  ],
  [
    "code/regex",
    "Patterns of users run in the linear engine, because a catastrophic one froze checkout.",
    "patterns linear engine checkout",
    "why was the shop once unusable because of an expression?",
  ],
  [
    "product/trial",
    "A trial lasts fourteen days and needs no credit card.",
    "trial fourteen days credit card",
    "can somebody test our service for free without paying details?",
  ],
  [
    "product/refund",
    "Refunds are granted without questions within thirty days.",
    "refunds granted thirty days",
    "a buyer is unhappy and wants the money back",
  ],
  [
    "product/plans",
    "The team plan has ten seats; more seats cost eight euros each.",
    "team plan seats euros",
    "what does an additional user cost?",
  ],
  [
    "product/export",
    "Customers export their data as CSV, and deletion follows after ninety days.",
    "customers export data csv",
    "how does a client take all information along when leaving?",
  ],
  [
    "product/support",
    "Support answers within four hours on working days.",
    "support answers hours working",
    "how fast do we react to a complaint?",
  ],
  [
    "product/mobile",
    "The mobile app works offline and synchronises when the phone is back online.",
    "mobile app offline synchronises",
    "can I use it on a plane without a connection?",
  ],
  [
    "product/logo",
    "The logo is never shown on a red background.",
    "logo red background",
    "which colour must not be behind our brand sign?",
  ],
  [
    "product/voice",
    "Texts address the reader as you and avoid exclamation marks.",
    "texts reader exclamation marks",
    "what tone do we write in for the public?",
  ],
  [
    "product/access",
    "Every control can be reached by keyboard, with a visible focus ring.",
    "control keyboard focus ring",
    "do people without a mouse manage to use the page?",
  ],
  [
    "product/locale",
    "We ship in English, German, Spanish and Japanese.",
    "english german spanish japanese",
    "into which languages is the software translated?",
  ],
  [
    "home/wifi",
    "The guest wifi password hangs on the fridge in the kitchen.",
    "guest wifi password fridge",
    "how does a visitor get on the internet?",
  ],
  [
    "home/coffee",
    "The coffee machine is descaled on the first Monday of the month.",
    "coffee machine descaled monday",
    "when is the espresso maker cleaned?",
  ],
  [
    "home/door",
    "The front door locks itself at seven in the evening.",
    "front door locks seven",
    "until what hour can I leave the building without a key?",
  ],
  [
    "home/desk",
    "Desks by the window are booked in the calendar the day before.",
    "desks window booked calendar",
    "how do I reserve a seat with a view?",
  ],
  [
    "home/bike",
    "Bicycles go into the cellar, never into the hallway because of the fire rules.",
    "bicycles cellar hallway fire",
    "where can I park what I cycled here on?",
  ],
  [
    "home/plants",
    "The ficus needs water twice a week and hates draughts.",
    "ficus water week draughts",
    "how do I keep the green thing in the corner alive?",
  ],
  [
    "home/printer",
    "The printer on the second floor only takes A4 and jams with recycled paper.",
    "printer second floor jams paper",
    "why does the device keep getting stuck when I copy a page?",
  ],
  [
    "home/meeting",
    "The small meeting room has no camera; take the large one for video calls.",
    "small meeting room camera video",
    "which space is right for talking to remote colleagues on a screen?",
  ],
  [
    "home/parcel",
    "Parcels are accepted at the reception of the neighbours until five.",
    "parcels reception neighbours",
    "where is my package delivered?",
  ],
  [
    "home/alarm",
    "If the alarm rings, gather at the car park behind the bakery.",
    "alarm rings gather car park",
    "where do we meet in case of an evacuation?",
  ],
];

export const CORPUS: readonly CorpusNote[] = ROWS.map(([namespace, note, keywords, paraphrase]) => ({
  namespace,
  note,
  keywords,
  paraphrase,
}));
