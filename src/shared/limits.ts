// Every limit of the product, with its unit in the name and its reason beside it. Nothing else may hold a magic number that a user can meet.

/** Bytes of one file: an import or a paste must not become a file that no editor opens quickly (design, Writing). */
export const FILE_MAX_BYTES = 512 * 1024;
/** Bytes of one entry line: an entry is one fact (design, Writing). */
export const ENTRY_MAX_BYTES = 4 * 1024;
/** Files of one memory (design, Writing). */
export const MEMORY_MAX_FILES = 10_000;
/** Bytes of text of one memory (design, Writing). */
export const MEMORY_MAX_BYTES = 100 * 1024 * 1024;
/** Files of one directory above which a save warns: width is what a save pays for (design, Traps). */
export const DIRECTORY_WARN_FILES = 256;
/** Bytes of a chat message. */
export const MESSAGE_MAX_BYTES = 32 * 1024;
/** Share of a file's entries that one model-made write may take away (design, shrink guard). */
export const SHRINK_MAX_SHARE = 0.5;
/** Near entries that an Outcome brings back, so that a model revises instead of adding. */
export const NEAR_MAX_ENTRIES = 5;

/** Bytes of one part of a path (format, Files). */
export const PATH_PART_MAX_BYTES = 255;
/** Bytes of a whole path (format, Files). */
export const PATH_MAX_BYTES = 1024;
/** MEMORY.md is loaded up to these bounds (format, Files). */
export const MEMORY_FILE_MAX_LINES = 200;
export const MEMORY_FILE_MAX_BYTES = 25 * 1024;
/** Tokens near which the janitor keeps MEMORY.md (design, Reading). */
export const MEMORY_FILE_TOKENS = 800;

/** Recalled entries a turn, and their tokens (design, Reading). */
export const RECALL_MAX_ENTRIES = 6;
export const RECALL_MAX_TOKENS = 400;
/** Tokens of the conversation window (design, Reading). */
export const WINDOW_MAX_TOKENS = 6_000;
/** Steps (model calls) of one turn. */
export const TURN_MAX_STEPS = 12;
/** Milliseconds without a byte from the model after which a turn gives up. */
export const MODEL_STALL_MS = 60_000;
/** Bytes of one model answer: more than this is a broken endpoint, not an answer. */
export const MODEL_ANSWER_MAX_BYTES = 1024 * 1024;

/** Default cap of a month in US dollars. */
export const MONTHLY_CAP_USD = 5;

/** Hours between two unattended dreams; the user's 03:00 comes on top (design, Dreaming). */
export const DREAM_EVERY_HOURS = 4;
export const DREAM_NIGHT_HOUR = 3;
/** Model calls of one dream, its tokens in and out, and its lease in milliseconds. */
export const DREAM_MAX_STEPS = 24;
export const DREAM_MAX_TOKENS = 200_000;
export const DREAM_LEASE_MS = 5 * 60_000;
/** Tokens of the inbox that one dream reads; the rest waits for the next. */
export const DREAM_INBOX_TOKENS = 8_000;
/** Tokens of file context that one dream's prompt holds beside the inbox. */
export const DREAM_CONTEXT_TOKENS = 6_000;
/** Tries of an inbox item before it is set aside (design, Dreaming). */
export const INBOX_MAX_TRIES = 3;
/** What a dream may take away: max(1, min(10 % of the open entries, 50)) a dream and max(1, 20 %) a week (design, Landing). */
export const DREAM_TAKE_SHARE = 0.1;
export const DREAM_TAKE_MAX = 50;
export const WEEK_TAKE_SHARE = 0.2;
/** Days after which a proposal expires. */
export const PROPOSAL_DAYS = 30;

/** Lists: default and largest page. */
export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;

/** Line merge of prose: past either bound the block is a conflict (design, Traps: diff3 is quadratic). */
export const PROSE_MERGE_MAX_LINES = 1_000;
/** Tombstones a file of forgotten facts (format, Tombstones). */
export const TOMBSTONES_PER_FILE = 500;

/** US dollars of one dream: the third bound beside steps and tokens, for models that have a price (design, Dreaming). */
export const DREAM_MAX_USD = 0.1;
/** Questions of one dream whether a line says again what was forgotten (design, Dreaming). */
export const REWORDINGS_MAX = 20;
/** Tokens of one answer in a dream: room for some twenty tool calls. */
export const DREAM_ANSWER_TOKENS = 4_000;
/** Milliseconds of one model call in a dream; shorter than the lease, so that a lease never runs out under a living call. */
export const DREAM_CALL_MS = 4 * 60_000;
/** Milliseconds of work after which a dream hands over to its next alarm: alarms end at 15 minutes, and 14 is the promise. */
export const DREAM_SHIFT_MS = 9 * 60_000;
/** Milliseconds between two looks at a running dream: an object without work sleeps after about 70 seconds. */
export const DREAM_BEAT_MS = 20_000;
/** Tool calls of one answer that are run; the rest is answered with "too many at once". */
export const DREAM_CALLS_PER_ANSWER = 20;
/** Changes of one dream: more is an import, not a consolidation. */
export const DREAM_MAX_CHANGES = 100;
/** Answers in a row that bring neither a change nor anything new to read, after which a dream ends. */
export const DREAM_MAX_IDLE = 3;
/** Tokens of one tool result in a dream. */
export const DREAM_RESULT_TOKENS = 1_200;
/** Unused entries listed to one dream. */
export const DREAM_UNUSED_MAX = 20;
/** Past plans, broken links, and rejected changes listed to one dream, each. */
export const DREAM_NOTICES_MAX = 10;
/** Messages that one pull copies from the transcripts into the inbox: an import of 10,000 takes several slices, none of them long. */
export const INBOX_PULL = 2_000;
/** Milliseconds of the first wait after a failed unattended dream; doubled each time up to the second. */
export const DREAM_RETRY_MS = 60 * 60_000;
export const DREAM_RETRY_MAX_MS = 24 * 60 * 60_000;
/** Days for which a rejected change is remembered by its words. */
export const REJECTED_DAYS = 365;

/** Tokens a month of models without a known price: they cannot be capped in dollars (design, Money). */
export const UNPRICED_MONTHLY_TOKENS = 5_000_000;
/** Tokens that one answer of the chat may have; the price of a call is reserved with them. */
export const ANSWER_MAX_TOKENS = 4_096;
/** Messages that may wait behind a running answer of one conversation. */
export const TURN_QUEUE_MAX = 20;
/** Milliseconds after which a conversation is no longer shown as being answered: its object went away in the middle. */
export const ANSWERING_MAX_MS = 10 * 60_000;
/** Milliseconds of the one relevance call; after them the unfiltered six go out. */
export const RELEVANCE_MAX_MS = 1_200;
/** Tokens of a conversation's summary. */
export const SUMMARY_MAX_TOKENS = 600;
/** Milliseconds of one model call in all: an endless trickle never goes silent. */
export const MODEL_CALL_MAX_MS = 5 * 60_000;

/** Bytes of one clone or fetch request after inflating: wants and haves only, 50 bytes each. */
export const GIT_REQUEST_MAX_BYTES = 4 * 1024 * 1024;
/** Content words of a forgotten text that its tombstone compares; more would not fit into a row of 4 KB (13 digits a word). */
export const TOMBSTONE_MAX_WORDS = 240;
/** Pairs of equal lines in one stretch of a line merge: a thousand equal lines on both sides are a million pairs. */
export const PROSE_MERGE_MAX_PAIRS = 40_000;
/** Words or lines that may differ before a diff for the eye shows one text replaced by the other: its cost is their product. */
export const DIFF_MAX_EDITS = 1_000;

/** What one push may bring (design, Traps): bytes of the pack, bytes when all is inflated, objects. */
export const PUSH_PACK_MAX_BYTES = 16 * 1024 * 1024;
export const PUSH_INFLATED_MAX_BYTES = 64 * 1024 * 1024;
export const PUSH_MAX_OBJECTS = 20_000;
/** Bytes of one object of a foreign pack, inflated, and steps from a delta to its base (design, Traps). */
export const PACK_OBJECT_MAX_BYTES = 1024 * 1024;
export const PACK_DELTA_MAX_DEPTH = 50;
/** Bytes of a pushed commit, its parents, and milliseconds that its date may lie ahead of our clock: more is no person's commit. */
export const PUSH_COMMIT_MAX_BYTES = 64 * 1024;
export const PUSH_COMMIT_MAX_PARENTS = 16;
export const PUSH_CLOCK_SKEW_MS = 24 * 60 * 60_000;
/** Bytes of a refused body that are read and thrown away, so that the client hears the reason instead of a broken line. */
export const BODY_DRAIN_MAX_BYTES = 256 * 1024 * 1024;

/** Milliseconds of a session from its sign-in (the design's 30 days), and of a look at the passkey for what cannot be undone. */
export const SESSION_MS = 30 * 24 * 60 * 60_000;
export const FRESH_MS = 10 * 60_000;
/** Milliseconds in which a WebAuthn challenge is answered, once. */
export const CHALLENGE_MS = 5 * 60_000;
/** Passkeys, sessions and tokens of one account: lists that a person can still read. */
export const PASSKEYS_MAX = 20;
export const SESSIONS_MAX = 100;
export const TOKENS_MAX = 50;
/** Recovery codes made at once, and wrong ones after which the account answers to none for a while (milliseconds). */
export const RECOVERY_CODES = 8;
export const RECOVERY_GUESSES = 5;
export const RECOVERY_LOCK_MS = 15 * 60_000;
/** Requests of one user: so many at once, then so many a second. A page asks for about five; a script that asks for more waits. */
export const USER_BURST = 600;
export const USER_PER_SECOND = 20;
/** Messages to a model of one user: so many at once, then one in so many seconds. */
export const USER_CHAT_BURST = 60;
export const USER_CHAT_PER_SECOND = 0.5;
/** Attempts to sign in from one address, in one isolate: so many at once, then so many a second. */
export const SIGN_IN_BURST = 60;
export const SIGN_IN_PER_SECOND = 1;
/** Frames of one socket a second, and bytes of one: a person's typing stays far below. */
export const SOCKET_FRAMES_PER_SECOND = 60;
export const SOCKET_FRAME_BURST = 200;
export const SOCKET_FRAME_MAX_BYTES = 1024 * 1024;
/** US dollars that a user's object reserves at once from the installation's cap, so that not every call asks for it. */
export const CAP_BLOCK_USD = 0.25;
/** Share of what is left of the installation's cap that a block has at most: under a small cap one user must not hold back what the others need. */
export const CAP_BLOCK_SHARE = 0.01;

/** Bytes of an import that comes as JSON in one request; more is a zip, which streams. */
export const IMPORT_JSON_MAX_BYTES = 16 * 1024 * 1024;
/** Items of such a request. */
export const IMPORT_MAX_ITEMS = 50_000;
/** Lines of one file that an import makes out of a list: every later save in it pays for all of them. */
export const IMPORT_FILE_LINES = 250;
/** Messages of one slice of an import; reads and writes come in between. */
export const IMPORT_SLICE_MESSAGES = 200;
/** Characters of one imported message: what is longer goes on in the next one. */
export const IMPORT_MESSAGE_CHARS = 100_000;
/** Bytes of an archive that is imported, of all that stands in it, of one note in it, and of one conversation. */
export const IMPORT_ZIP_MAX_BYTES = 256 * 1024 * 1024;
export const IMPORT_INFLATED_MAX_BYTES = 1024 * 1024 * 1024;
export const IMPORT_NOTE_MAX_BYTES = 8 * 1024 * 1024;
export const IMPORT_TALK_MAX_CHARS = 8 * 1024 * 1024;
/** Entries of an archive. */
export const IMPORT_ZIP_MAX_ENTRIES = 50_000;
/** How many times larger than its packed form a large entry may be: text packs ten to one, a bomb a thousand to one. */
export const IMPORT_MAX_RATIO = 200;
/** Characters of text that one commit of an import brings: more would not fit into the memory of its object. */
export const IMPORT_COMMIT_CHARS = 8 * 1024 * 1024;
/** Bytes of one staged row: a row holds 2 MB. */
export const IMPORT_ROW_BYTES = 512 * 1024;
/** Milliseconds after which an import that nobody applied is thrown away. */
export const IMPORT_KEEP_MS = 24 * 60 * 60_000;
/** Milliseconds that an answer waits for an import to land; a longer one goes on by itself. */
export const IMPORT_WAIT_MS = 20_000;
/** A foreign pack that is imported whole (design, Traps): its bytes, what it holds inflated, its objects. */
export const IMPORT_PACK_MAX_BYTES = 256 * 1024 * 1024;
export const IMPORT_PACK_INFLATED_MAX_BYTES = 1024 * 1024 * 1024;
export const IMPORT_PACK_MAX_OBJECTS = 200_000;
