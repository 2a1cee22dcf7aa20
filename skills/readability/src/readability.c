/*
 * How hard is a text to read? A command for WebAssembly (WASI preview 1): text on standard input, options as
 * arguments, an answer on standard output. Everything it needs is laid out in advance: no text, however strange,
 * makes it take more memory than that, and the time grows with the length of the text and nothing else.
 */

#ifdef __wasm__
#include "wasi.h"
#else
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#endif

#define MOST_INPUT (8u * 1024 * 1024)
#define MOST_WORD 64
#define MOST_EXCERPT 240
#define MOST_LISTED 50
#define MOST_DOUBLED 20
#define TABLE_SIZE 4096 /* a power of two */
#define WORD_SHOWN 32

typedef uint32_t u32;

/* ---------------------------------------------------------------- output */

static char out_buffer[16384];
static size_t out_length;

static void flush(void) {
  size_t done = 0;
  while (done < out_length) {
    ssize_t wrote = write(1, out_buffer + done, out_length - done);
    if (wrote <= 0) _exit(1);
    done += (size_t)wrote;
  }
  out_length = 0;
}

static void put_char(char c) {
  if (out_length == sizeof out_buffer) flush();
  out_buffer[out_length++] = c;
}

static void put(const char *text) {
  while (*text) put_char(*text++);
}

static void put_count(u32 value) {
  char digits[10];
  int length = 0;
  do digits[length++] = (char)('0' + value % 10);
  while ((value /= 10) > 0);
  while (length > 0) put_char(digits[--length]);
}

/* With one digit after the point. */
static void put_number(double value) {
  if (value < 0) {
    put_char('-');
    value = -value;
  }
  if (value > 1e8) value = 1e8;
  u32 tenths = (u32)(value * 10 + 0.5);
  put_count(tenths / 10);
  put_char('.');
  put_char((char)('0' + tenths % 10));
}

/* As a JSON string. Excerpts are whole characters already, without control characters. */
static void put_json(const char *text) {
  put_char('"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') put_char('\\');
    put_char(*text);
  }
  put_char('"');
}

static void fail(const char *message, const char *what) {
  const char *parts[] = {"readability: ", message, what, "\n"};
  for (int i = 0; i < 4; i++) {
    /* Nothing can be done about an error stream that takes nothing. */
    if (write(2, parts[i], strlen(parts[i])) < 0) break;
  }
  _exit(2);
}

/* ---------------------------------------------------------------- options */

static struct {
  int hard; /* the tool hard-sentences, and not score */
  int json;
  int markdown;
  u32 max_words;
  u32 limit;
} options = {0, 0, 1, 25, 10};

static const char help[] =
    "Usage: readability score|hard-sentences [options] < TEXT\n"
    "\n"
    "  --format text|json       how to answer (default: text)\n"
    "  --input markdown|plain   markdown leaves out code, tables, headings, addresses (default: markdown)\n"
    "  --max-words N            a sentence with more words is a long one (default: 25)\n"
    "  --limit N                the most sentences to list, 1 to 50 (default: 10)\n"
    "\n"
    "Exit status: 0 done, 2 wrong usage or no text.\n";

static u32 count_option(const char *text, u32 least, u32 most, const char *name) {
  u32 value = 0;
  const char *at = text;
  for (; *at >= '0' && *at <= '9' && value <= most; at++) value = value * 10 + (u32)(*at - '0');
  if (*at || at == text || value < least || value > most) fail("not a number in range for ", name);
  return value;
}

static int choice(const char *text, const char *yes, const char *no, const char *name) {
  if (strcmp(text, yes) == 0) return 1;
  if (strcmp(text, no) == 0) return 0;
  fail("unknown value for ", name);
  return 0;
}

/* The value of `--name=value`, or of `--name value`. */
static const char *value_of(const char *name, int argc, char **argv, int *at) {
  size_t length = strlen(name);
  if (strncmp(argv[*at], name, length) != 0) return 0;
  if (argv[*at][length] == '=') return argv[*at] + length + 1;
  if (argv[*at][length] != 0) return 0;
  if (*at + 1 >= argc) fail("a value is missing after ", name);
  return argv[++*at];
}

static void read_options(int argc, char **argv) {
  int tool = 0;
  for (int at = 1; at < argc; at++) {
    const char *value;
    if (strcmp(argv[at], "--help") == 0) {
      put(help);
      flush();
      _exit(0);
    } else if ((value = value_of("--format", argc, argv, &at))) options.json = choice(value, "json", "text", "--format");
    else if ((value = value_of("--input", argc, argv, &at))) options.markdown = choice(value, "markdown", "plain", "--input");
    else if ((value = value_of("--max-words", argc, argv, &at))) options.max_words = count_option(value, 5, 1000, "--max-words (5 to 1000)");
    else if ((value = value_of("--limit", argc, argv, &at))) options.limit = count_option(value, 1, MOST_LISTED, "--limit (1 to 50)");
    else if (!tool && argv[at][0] != '-') {
      tool = 1;
      options.hard = choice(argv[at], "hard-sentences", "score", "the tool: give score or hard-sentences");
    } else fail("unknown argument; see --help: ", argv[at]);
  }
  if (!tool) fail("which tool? Give score or hard-sentences", "");
}

/* ---------------------------------------------------------------- characters */

enum kind { SPACE, LETTER, DIGIT, IDEOGRAPH, END, CLOSER, COMMA, OTHER };

/* The letters of U+00C0 to U+017F without their marks, so that vowels are known as such; '.' for what is no letter. */
static const char plain_letters[] =
    "AAAAAAACEEEEIIIIDNOOOOO.OUUUUYTsaaaaaaaceeeeiiiidnooooo.ouuuuyty"
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL"
    "lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";

struct character {
  enum kind kind;
  char plain; /* a lower-case letter without marks, where there is one */
  int upper;
  int lower;
};

static int between(u32 code, u32 first, u32 last) { return code >= first && code <= last; }

static struct character look(u32 code) {
  struct character seen = {OTHER, 0, 0, 0};
  char letter = 0;
  if (between(code, 'a', 'z') || between(code, 'A', 'Z')) letter = (char)code;
  else if (between(code, 0xc0, 0x17f)) letter = plain_letters[code - 0xc0];
  if (letter && letter != '.') {
    seen.kind = LETTER;
    seen.upper = between((u32)letter, 'A', 'Z');
    seen.lower = !seen.upper;
    seen.plain = (char)(letter | 32);
  } else if (between(code, '0', '9')) seen.kind = DIGIT;
  else if (code <= ' ' || code == 0x7f || between(code, 0x80, 0xa0) || between(code, 0x2000, 0x200a) || code == 0x2028 || code == 0x2029 || code == 0x3000) seen.kind = SPACE;
  else if (code == '.' || code == '!' || code == '?' || code == 0x2026 || code == 0x3002 || code == 0xff01 || code == 0xff1f || code == 0x061f || code == 0x0964) seen.kind = END;
  else if (code == '"' || code == '\'' || code == ')' || code == ']' || code == '}' || code == 0xbb || between(code, 0x2018, 0x201f) || code == 0x203a || code == 0x300d || code == 0x300f || code == 0xff09) seen.kind = CLOSER;
  else if (code == ',' || code == ';' || code == ':' || code == 0x2013 || code == 0x2014 || code == 0x3001 || code == 0xff0c) seen.kind = COMMA;
  else if (between(code, 0x2e80, 0x2fff) || between(code, 0x3040, 0x30ff) || between(code, 0x3400, 0x9fff) || between(code, 0xf900, 0xfaff) || between(code, 0x20000, 0x3ffff)) seen.kind = IDEOGRAPH;
  else if (code == 0xfffd || between(code, 0x200b, 0x2bff) || between(code, 0x3001, 0x303f) || between(code, 0xe000, 0xf8ff) || between(code, 0xfe00, 0xfe6f) || between(code, 0xff00, 0xff20) || code >= 0x1f000) seen.kind = OTHER;
  else if (between(code, 0xa1, 0xbf) || code == 0xd7 || code == 0xf7 || between(code, 0x300, 0x36f)) seen.kind = OTHER;
  else if (code > 0x17f) {
    /* A letter of another script. Which of them are small is known for Greek and Cyrillic, which is enough here. */
    seen.kind = LETTER;
    seen.lower = between(code, 0x3ac, 0x3ce) || between(code, 0x430, 0x45f);
    seen.upper = between(code, 0x386, 0x3ab) || between(code, 0x400, 0x42f);
  }
  return seen;
}

static unsigned char input[MOST_INPUT + 1];
static size_t input_length;
static int was_cut;
static u32 bad_bytes;

/* One character, and how many bytes it has. What is no UTF-8 is one bad byte. */
static u32 decode(const unsigned char *at, const unsigned char *end, int *size) {
  static const u32 least[] = {0, 0, 0x80, 0x800, 0x10000};
  u32 first = at[0];
  int length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  *size = 1;
  if (length == 1) return first;
  if (length == 0 || end - at < length) return 0xfffd;
  u32 code = first & (0xffu >> (length + 1));
  for (int i = 1; i < length; i++) {
    if ((at[i] & 0xc0) != 0x80) return 0xfffd;
    code = code << 6 | (at[i] & 0x3fu);
  }
  if (code < least[length] || code > 0x10ffff || between(code, 0xd800, 0xdfff)) return 0xfffd;
  *size = length;
  return code;
}

static int encode(u32 code, char *to) {
  if (code < 0x80) {
    to[0] = (char)code;
    return 1;
  }
  if (code < 0x800) {
    to[0] = (char)(0xc0 | code >> 6);
    to[1] = (char)(0x80 | (code & 0x3f));
    return 2;
  }
  if (code < 0x10000) {
    to[0] = (char)(0xe0 | code >> 12);
    to[1] = (char)(0x80 | (code >> 6 & 0x3f));
    to[2] = (char)(0x80 | (code & 0x3f));
    return 3;
  }
  to[0] = (char)(0xf0 | code >> 18);
  to[1] = (char)(0x80 | (code >> 12 & 0x3f));
  to[2] = (char)(0x80 | (code >> 6 & 0x3f));
  to[3] = (char)(0x80 | (code & 0x3f));
  return 4;
}

/* ---------------------------------------------------------------- syllables */

static int is_vowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y'; }

static int ends_with(const char *word, u32 length, const char *end) {
  size_t size = strlen(end);
  return length >= size && memcmp(word + length - size, end, size) == 0;
}

/* Words that the rules get wrong, by how they begin, and by how much. */
static const struct { const char *begin; int more; } exceptions[] = {
    {"every", -1}, {"some", -1}, {"people", -1}, {"busines", -1}, {"friend", -1}, {"scien", 1}, {"societ", 1},
    {"idea", 1},   {"area", 1},  {"react", 1},   {"poem", 1},     {"poet", 1},
};

static int exception_of(const char *word, u32 length) {
  for (u32 i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
    size_t size = strlen(exceptions[i].begin);
    int alone = exceptions[i].more < 0 && size == 4; /* "some" itself has one */
    if (length >= size + (u32)alone && memcmp(word, exceptions[i].begin, size) == 0) return exceptions[i].more;
  }
  return 0;
}

/* An estimate for English: groups of vowels, less those that are not spoken, and those that are two. */
static u32 syllables_in(const char *word, u32 length) {
  u32 count = 0;
  int before = 0;
  for (u32 i = 0; i < length; i++) {
    int vowel = is_vowel(word[i]) && !(i == 0 && word[i] == 'y');
    if (vowel && !before) count++;
    /* Two vowels that are spoken apart: "radio", "idea", "create", "usual", "being"; not "nation", "special". */
    if (vowel && before) {
      char one = word[i - 1], two = word[i];
      int soft = i >= 2 && (word[i - 2] == 't' || word[i - 2] == 's' || word[i - 2] == 'c' || word[i - 2] == 'g' || word[i - 2] == 'x');
      int double_l = i >= 3 && word[i - 2] == 'l' && word[i - 3] == 'l'; /* "million" */
      if (one == 'i' && (two == 'a' || two == 'o' || two == 'u') && !soft && !double_l) count++;
      if (one == 'i' && two == 'e' && i + 1 < length && (word[i + 1] == 'n' || word[i + 1] == 't') && !soft) count++; /* "client" */
      if (one == 'e' && (two == 'o' || (two == 'a' && i + 2 < length && word[i + 1] == 't' && (word[i + 2] == 'e' || word[i + 2] == 'i')))) count++;
      if (one == 'u' && two == 'a' && i >= 2 && word[i - 2] != 'q' && word[i - 2] != 'g') count++;
      if ((one == 'e' || one == 'y' || one == 'o') && two == 'i' && i + 3 == length && word[i + 1] == 'n' && word[i + 2] == 'g') count++;
    }
    before = vowel;
  }
  if (length > 2 && count > 1) {
    char third = word[length - 3], second = word[length - 2], last = word[length - 1];
    int silent_e = last == 'e' && !is_vowel(second) && !(second == 'l' && !is_vowel(third));
    int silent_ed = ends_with(word, length, "ed") && third != 't' && third != 'd' && !is_vowel(third);
    int hissing = third == 's' || third == 'x' || third == 'z' || third == 'c' || third == 'g' || (third == 'h' && length > 3 && (word[length - 4] == 'c' || word[length - 4] == 's'));
    int silent_es = ends_with(word, length, "es") && !hissing && !is_vowel(third) && !(third == 'l' && length > 3 && !is_vowel(word[length - 4]));
    if (silent_e || silent_ed || silent_es) count--;
  }
  if (count > 1 && (ends_with(word, length, "que") || ends_with(word, length, "ques") || ends_with(word, length, "logue") || ends_with(word, length, "logues"))) count--;
  if (ends_with(word, length, "sm")) count++;
  int spoken = (int)count + exception_of(word, length);
  return spoken > 0 ? (u32)spoken : 1;
}

/* ---------------------------------------------------------------- what is counted */

struct sentence {
  u32 line, words, syllables, complex, commas;
  int passive;
  u32 excerpt_length;
  int excerpt_cut;
  char excerpt[MOST_EXCERPT + 8];
};

struct total {
  u32 words, sentences, paragraphs, syllables, letters, complex, passive, long_sentences, headings, code_lines, tables;
  u32 foreign; /* words of other scripts */
};

struct counted_word {
  char word[WORD_SHOWN];
  u32 count, line;
};

static struct total total;
static struct sentence current;
static struct sentence listed[MOST_LISTED];
static u32 listed_length;
static struct counted_word hard_words[TABLE_SIZE];
static u32 hard_words_length;
static struct { char word[WORD_SHOWN]; u32 line; } doubled[MOST_DOUBLED];
static u32 doubled_length, doubled_count;

static const char *const fillers[] = {"just", "simply", "easily", "obviously", "clearly", "basically", "actually", "really", "very", "quite"};
#define FILLERS (sizeof fillers / sizeof *fillers)
static struct { u32 count, line; } filler_counts[FILLERS];

static u32 line_number = 1;

static double grade_of(double words, double sentences, double syllables) { return 0.39 * words / sentences + 11.8 * syllables / words - 15.59; }

/* How hard one sentence is, for putting them in order: by grade, or by length where long ones are asked for. */
static double weight_of(const struct sentence *one) { return options.hard ? grade_of(one->words, 1, one->syllables) : (double)one->words; }

static void list_sentence(void) {
  if (options.hard ? current.words < 8 : current.words <= options.max_words) return;
  double weight = weight_of(&current);
  u32 at = listed_length;
  if (at == options.limit) {
    if (weight_of(&listed[at - 1]) >= weight) return;
    at--;
  } else listed_length++;
  while (at > 0 && weight_of(&listed[at - 1]) < weight) {
    listed[at] = listed[at - 1];
    at--;
  }
  listed[at] = current;
}

static void count_hard_word(const char *word, u32 length) {
  u32 hash = 2166136261u;
  for (u32 i = 0; i < length; i++) hash = (hash ^ (unsigned char)word[i]) * 16777619u;
  for (u32 step = 0; step < 64; step++) {
    struct counted_word *slot = &hard_words[(hash + step) & (TABLE_SIZE - 1)];
    if (slot->count == 0) {
      if (hard_words_length >= TABLE_SIZE / 4 * 3) return;
      hard_words_length++;
      memcpy(slot->word, word, length);
      slot->line = line_number;
    } else if (memcmp(slot->word, word, length) != 0 || slot->word[length] != 0) continue;
    slot->count++;
    return;
  }
}

/* ---------------------------------------------------------------- words and sentences */

static struct {
  u32 length;       /* of what is kept, lower case */
  u32 letters;      /* of all */
  u32 digits;
  int technical, hyphen, capital, foreign, is_open;
  u32 joiner;       /* a sign that belongs to the word if the word goes on */
  char text[MOST_WORD];
} word;

static char last_word[MOST_WORD];
static u32 last_length;
static int after_be;  /* after "is", "was", … */
static int ending;    /* 1 after the sign that may end a sentence, 2 with a blank after that */
static int has_block; /* anything in this paragraph */

static void excerpt(u32 code) {
  if (current.excerpt_length >= MOST_EXCERPT) {
    current.excerpt_cut = 1;
    return;
  }
  int blank = look(code).kind == SPACE;
  char before = current.excerpt_length > 0 ? current.excerpt[current.excerpt_length - 1] : ' ';
  if (blank && before == ' ') return;
  /* Signs that turn the writing around, or are not seen, have no place in a quotation. */
  if (between(code, 0x200b, 0x200f) || between(code, 0x202a, 0x202e) || between(code, 0x2060, 0x206f) || code == 0xfeff) return;
  if (current.excerpt_length == 0) current.line = line_number;
  current.excerpt_length += (u32)encode(blank ? ' ' : code, current.excerpt + current.excerpt_length);
}

static int is_one_of(const char *text, u32 length, const char *const *words) {
  for (; *words; words++)
    if (strlen(*words) == length && memcmp(*words, text, length) == 0) return 1;
  return 0;
}

static const char *const forms_of_be[] = {"is", "are", "was", "were", "be", "been", "being", "am", 0};
static const char *const participles[] = {"done", "made", "given", "taken", "written", "shown", "known", "found", "built", "sent", "set", "put", "kept", "held", "left", "run", "seen", "read", "thrown", "drawn", "chosen", "broken", "lost", "told", "meant", 0};
static const char *const abbreviations[] = {"e.g", "i.e", "mr", "mrs", "ms", "dr", "prof", "vs", "fig", "approx", "cf", "resp", 0};

static void note_word(void) {
  const char *text = word.text;
  u32 length = word.length;
  if (length > 0 && length == last_length && word.digits == 0 && !word.technical && memcmp(text, last_word, length) == 0) {
    if (doubled_length < MOST_DOUBLED && length < WORD_SHOWN) {
      memcpy(doubled[doubled_length].word, text, length);
      doubled[doubled_length++].line = line_number;
    }
    doubled_count++;
  }
  for (u32 i = 0; i < FILLERS; i++) {
    if (strlen(fillers[i]) != length || memcmp(fillers[i], text, length) != 0) continue;
    if (filler_counts[i].count++ == 0) filler_counts[i].line = line_number;
  }
  int adverb = length > 3 && ends_with(text, length, "ly");
  if (after_be && ((length > 3 && ends_with(text, length, "ed")) || is_one_of(text, length, participles))) current.passive = 1;
  int negation = length == 3 && memcmp(text, "not", 3) == 0;
  after_be = is_one_of(text, length, forms_of_be) || (after_be && (adverb || negation));
}

/* Three syllables or more, as the fog index has it: no names, no compounds, and endings do not count. */
static int is_complex(u32 syllables) {
  if (syllables < 3 || word.technical || word.hyphen || word.digits || word.foreign || (word.capital && current.words > 0)) return 0;
  if (word.length >= WORD_SHOWN) return 0;
  int ending_counts = syllables == 3 && (ends_with(word.text, word.length, "ing") || ends_with(word.text, word.length, "ed") || ends_with(word.text, word.length, "es"));
  return !ending_counts;
}

static void end_word(void) {
  if (!word.is_open) return;
  u32 syllables = word.foreign ? (word.letters + 2) / 3 : word.length > 0 ? syllables_in(word.text, word.length) : 1;
  note_word();
  if (is_complex(syllables)) {
    current.complex++;
    count_hard_word(word.text, word.length);
  }
  current.words++;
  current.syllables += syllables;
  total.letters += word.letters;
  if (word.foreign) total.foreign++;
  memcpy(last_word, word.text, word.length);
  last_length = word.length;
  memset(&word, 0, sizeof word);
}

/* Something that is one word to a reader: a piece of code, an address. */
static void whole_word(void) {
  end_word();
  if (ending == 2) ending = 0;
  current.words++;
  current.syllables++;
  last_length = 0;
  after_be = 0;
}

static void end_sentence(int complete) {
  end_word();
  ending = 0;
  last_length = 0;
  after_be = 0;
  /* A few words without a full stop are a label or an entry of a list, and no sentence. */
  int fragment = options.markdown && !complete && current.words < 4;
  if (current.words > 0 && !fragment) {
    while (current.excerpt_length > 0 && current.excerpt[current.excerpt_length - 1] == ' ') current.excerpt_length--;
    current.excerpt[current.excerpt_length] = 0;
    total.words += current.words;
    total.syllables += current.syllables;
    total.complex += current.complex;
    total.passive += (u32)current.passive;
    total.sentences++;
    if (current.words > options.max_words) total.long_sentences++;
    has_block = 1;
    list_sentence();
  }
  /* Not all of it: the text is as long as its length says. */
  current.line = current.words = current.syllables = current.complex = current.commas = current.excerpt_length = 0;
  current.passive = current.excerpt_cut = 0;
}

static void end_block(void) {
  end_word();
  end_sentence(ending != 0);
  if (has_block) total.paragraphs++;
  has_block = 0;
}

static int joins(u32 code) { return code == '\'' || code == 0x2019 || code == '-' || code == '_' || code == '.' || code == '/' || code == '@' || code == 0x2010 || code == 0xad; }

static void open_word(u32 code, const struct character *seen) {
  if (!word.is_open) {
    memset(&word, 0, sizeof word);
    word.is_open = 1;
    word.capital = seen->upper;
  }
  if (word.joiner) {
    if (word.joiner == '-' || word.joiner == 0x2010) word.hyphen = 1;
    else if (word.joiner == '_' || word.joiner == '.' || word.joiner == '/' || word.joiner == '@') word.technical = 1;
    if (word.joiner == '.' && word.length < MOST_WORD - 1) word.text[word.length++] = '.';
    word.joiner = 0;
  }
  if (seen->kind == DIGIT) word.digits++;
  else word.letters++;
  if (seen->kind == LETTER && !seen->plain) word.foreign = 1;
  char kept = seen->kind == DIGIT ? (char)code : seen->plain;
  if (kept && word.length < MOST_WORD - 1) word.text[word.length++] = kept;
}

static void sign(u32 code, enum kind kind) {
  if (kind == END) {
    int abbreviated = code == '.' && (is_one_of(last_word, last_length, abbreviations) || (last_length == 1 && last_word[0] != 'i'));
    if (current.words > 0 && !abbreviated) ending = 1;
    /* The full stop of ideographs needs no blank after it. */
    if (code == 0x3002 || code == 0xff01 || code == 0xff1f) end_sentence(1);
  } else if (kind == COMMA) {
    current.commas++;
    last_length = 0;
    ending = 0;
  } else if (kind == OTHER) last_length = 0;
}

/* The next character of running text. */
static void feed(u32 code) {
  struct character seen = look(code);
  if (word.is_open && joins(code) && !word.joiner) {
    word.joiner = code;
    excerpt(code);
    return;
  }
  if (word.is_open && seen.kind != LETTER && seen.kind != DIGIT) {
    u32 joiner = word.joiner;
    end_word();
    if (joiner) sign(joiner, look(joiner).kind);
  }
  if (ending == 2 && seen.kind != SPACE) {
    if (seen.kind == LETTER && seen.lower) ending = 0;
    else end_sentence(1);
  } else if (ending == 1) {
    if (seen.kind == SPACE) ending = 2;
    else if (seen.kind != END && seen.kind != CLOSER) ending = 0;
  }
  excerpt(code);
  if (seen.kind == LETTER || seen.kind == DIGIT) open_word(code, &seen);
  else if (seen.kind == IDEOGRAPH) {
    current.words++;
    current.syllables++;
    total.letters++;
    total.foreign++;
    last_length = 0;
  } else sign(code, seen.kind);
}

/* ---------------------------------------------------------------- Markdown */

typedef const unsigned char *text;

static text skip_blanks(text at, text end) {
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  return at;
}

static int begins(text at, text end, const char *with) {
  size_t length = strlen(with);
  return (size_t)(end - at) >= length && memcmp(at, with, length) == 0;
}

static text find(text at, text end, const char *what) {
  size_t length = strlen(what);
  for (; (size_t)(end - at) >= length && at <= end; at++)
    if (memcmp(at, what, length) == 0) return at;
  return 0;
}

/* Whether a line is made of one of these signs, three at least, and blanks. */
static int is_rule(text at, text end) {
  if (at >= end || !strchr("-*_=", *at)) return 0;
  unsigned char mark = *at;
  u32 count = 0;
  for (; at < end; at++) {
    if (*at == mark) count++;
    else if (*at != ' ' && *at != '\t') return 0;
  }
  return count >= 3;
}

/* What follows the mark of a list's entry; null where there is none. */
static text after_bullet(text at, text end) {
  text from = at;
  if (at < end && strchr("-*+", *at)) at++;
  else {
    while (at < end && *at >= '0' && *at <= '9' && at - from < 9) at++;
    if (at == from || at >= end || (*at != '.' && *at != ')')) return 0;
    at++;
  }
  if (at >= end || (*at != ' ' && *at != '\t')) return 0;
  at = skip_blanks(at, end);
  return begins(at, end, "[ ] ") || begins(at, end, "[x] ") || begins(at, end, "[X] ") ? at + 4 : at;
}

static struct {
  unsigned char fence; /* the sign of the block of code that is open */
  u32 fence_length;
  int comment, in_list, blank_before;
} page = {0, 0, 0, 0, 1};

/* The text of one line without its marks. A search that found nothing is not made again on the same line. */
static void inline_text(text at, text end) {
  int no_code[9] = {0}, no_target = 0, no_tag = 0;
  while (at < end) {
    unsigned char c = *at;
    if (c == '\\' && at + 1 < end && at[1] < 0x80) {
      feed(at[1]);
      at += 2;
      continue;
    }
    if (c == '`') {
      u32 run = 0;
      text from = at;
      while (at < end && *at == '`') at++, run++;
      text close = 0;
      if (run <= 8 && !no_code[run]) {
        for (text look_at = at; look_at < end;) {
          if (*look_at != '`') {
            look_at++;
            continue;
          }
          text begin = look_at;
          while (look_at < end && *look_at == '`') look_at++;
          if ((u32)(look_at - begin) == run) {
            close = look_at;
            break;
          }
        }
        if (!close) no_code[run] = 1;
      }
      if (!close) continue;
      /* Shown as it stands, and one word to read. */
      int size;
      if (ending == 2) end_sentence(1);
      for (text shown = from; shown < close; shown += size) excerpt(decode(shown, close, &size));
      whole_word();
      at = close;
      continue;
    }
    if (c == ']' && at + 1 < end && (at[1] == '(' || at[1] == '[') && !no_target) {
      unsigned char open = at[1], shut = open == '(' ? ')' : ']';
      u32 depth = 0;
      text close = at + 1;
      for (; close < end; close++) {
        if (*close == open) depth++;
        else if (*close == shut && --depth == 0) break;
      }
      if (close < end) {
        at = close + 1;
        continue;
      }
      no_target = 1;
    }
    if (c == '<' && at + 1 < end && (at[1] == '/' || at[1] == '!' || between(at[1] | 32u, 'a', 'z')) && !no_tag) {
      text close = find(at, end, ">");
      if (close) {
        if (begins(at, end, "<http") || begins(at, end, "<mailto:")) whole_word();
        at = close + 1;
        continue;
      }
      no_tag = 1;
    }
    if (c == '&') {
      text close = at + 1;
      while (close < end && close - at < 12 && (between(*close | 32u, 'a', 'z') || between(*close, '0', '9') || *close == '#')) close++;
      if (close < end && *close == ';' && close > at + 1) {
        feed(' ');
        at = close + 1;
        continue;
      }
    }
    if (!word.is_open && (c == 'h' || c == 'w') && (begins(at, end, "http://") || begins(at, end, "https://") || begins(at, end, "www."))) {
      if (ending == 2) end_sentence(1);
      int size;
      while (at < end && *at > ' ' && !strchr(")>]\"", *at)) {
        excerpt(decode(at, end, &size));
        at += size;
      }
      whole_word();
      continue;
    }
    if (c == '*' || c == '~' || c == '[' || (c == '!' && at + 1 < end && at[1] == '[') || (c == '_' && !word.is_open)) {
      at++;
      continue;
    }
    int size;
    u32 code = decode(at, end, &size);
    if (code == 0xfffd && size == 1) bad_bytes++;
    feed(code);
    at += size;
  }
}

static void markdown_line(text at, text end) {
  text from = at;
  at = skip_blanks(at, end);
  u32 indent = (u32)(at - from);
  if (page.fence) {
    u32 run = 0;
    text mark = at;
    while (mark < end && *mark == page.fence) mark++, run++;
    if (run >= page.fence_length && skip_blanks(mark, end) == end) page.fence = 0;
    else total.code_lines++;
    return;
  }
  if (page.comment) {
    text close = find(at, end, "-->");
    if (!close) return;
    page.comment = 0;
    at = close + 3;
  }
  while (at < end && *at == '>') at = skip_blanks(at + 1, end);
  if (at >= end) {
    end_block();
    page.blank_before = 1;
    return;
  }
  if (begins(at, end, "```") || begins(at, end, "~~~")) {
    end_block();
    page.fence = *at;
    for (page.fence_length = 0; at < end && *at == page.fence; at++) page.fence_length++;
    return;
  }
  if (begins(at, end, "<!--") && !find(at, end, "-->")) {
    end_block();
    page.comment = 1;
    return;
  }
  text item = after_bullet(at, end);
  if (indent == 0 && !item) page.in_list = page.in_list && !page.blank_before;
  if (indent >= 4 && page.blank_before && !page.in_list && !item) {
    total.code_lines++;
    return;
  }
  page.blank_before = 0;
  if (*at == '#') {
    end_block();
    total.headings++;
    return;
  }
  if (*at == '|') {
    end_block();
    total.tables++;
    return;
  }
  if (is_rule(at, end)) {
    end_block();
    return;
  }
  /* `[name]: address` says where a link leads. */
  if (*at == '[' && indent < 4) {
    text close = find(at, end, "]:");
    if (close && !memchr(at, ' ', (size_t)(close - at))) {
      end_block();
      return;
    }
  }
  if (item) {
    end_block();
    page.in_list = 1;
    at = item;
  }
  inline_text(at, end);
  feed(' ');
}

static void plain_line(text at, text end) {
  if (skip_blanks(at, end) == end) {
    end_block();
    return;
  }
  int size;
  for (; at < end; at += size) {
    u32 code = decode(at, end, &size);
    if (code == 0xfffd && size == 1) bad_bytes++;
    feed(code);
  }
  feed(' ');
}

/* Where the text begins, after what stands between two lines of --- at its start. */
static text after_front_matter(text begin, text end) {
  if (!begins(begin, end, "---\n") && !begins(begin, end, "---\r\n")) return begin;
  u32 lines = 1;
  text at = (text)memchr(begin, '\n', (size_t)(end - begin)) + 1;
  for (; at < end && lines < 500; lines++) {
    text stop = memchr(at, '\n', (size_t)(end - at));
    text next = stop ? stop + 1 : end;
    if (begins(at, next, "---") && skip_blanks(at + 3, next) + 2 >= next && (at + 3 >= next || at[3] <= ' ')) {
      line_number += lines + 1;
      return next;
    }
    at = next;
  }
  return begin;
}

static void read_text(void) {
  text at = input, end = input + input_length;
  if (begins(at, end, "\xef\xbb\xbf")) at += 3;
  if (options.markdown) at = after_front_matter(at, end);
  while (at < end) {
    text stop = memchr(at, '\n', (size_t)(end - at));
    text last = stop ? stop : end;
    text next = stop ? stop + 1 : end;
    if (last > at && last[-1] == '\r') last--;
    (options.markdown ? markdown_line : plain_line)(at, last);
    line_number++;
    at = next;
  }
  end_block();
}

/* ---------------------------------------------------------------- answers */

static double ease_of(void) { return 206.835 - 1.015 * total.words / total.sentences - 84.6 * total.syllables / total.words; }
static double fog_of(void) { return 0.4 * ((double)total.words / total.sentences + 100.0 * total.complex / total.words); }

static const char *verdict(double ease) {
  static const struct { double least; const char *words; } bands[] = {
      {90, "very easy, a child of eleven can follow"},
      {70, "easy, good for instructions"},
      {60, "plain, good for most documentation"},
      {50, "fairly hard, fine for specialists"},
      {30, "hard, readers need patience"},
      {-1e9, "very hard, most readers will give up"},
  };
  for (u32 i = 0; i < sizeof bands / sizeof *bands; i++)
    if (ease >= bands[i].least) return bands[i].words;
  return "";
}

static void separate(int *first) {
  if (!*first) put(", ");
  *first = 0;
}

/* The hard words that are used most; each is taken out once it is written. */
static struct counted_word *most_used(void) {
  struct counted_word *most = 0;
  for (u32 i = 0; i < TABLE_SIZE; i++) {
    struct counted_word *one = &hard_words[i];
    if (one->count == 0) continue;
    if (!most || one->count > most->count || (one->count == most->count && strcmp(one->word, most->word) < 0)) most = one;
  }
  return most;
}

static void json_figure(const char *name, double value) {
  put(",\n  \"");
  put(name);
  put("\": ");
  put_number(value);
}

static void json_count(const char *name, u32 value) {
  put(",\n  \"");
  put(name);
  put("\": ");
  put_count(value);
}

static void json_notes(void) {
  int first = 1;
  put(",\n  \"notes\": [");
  const struct { int holds; const char *words; } notes[] = {
      {was_cut, "only the first 8 MiB were read"},
      {bad_bytes > 0, "some bytes are no UTF-8; convert the text first"},
      {total.words > 0 && total.foreign * 5 > total.words, "the figures are made for English; this text is mostly not in the Latin alphabet"},
      {total.words > 0 && total.words < 100, "fewer than 100 words: the figures mean little"},
      {total.words == 0, "no running text: only headings, code, tables or lists of single words"},
  };
  for (u32 i = 0; i < sizeof notes / sizeof *notes; i++) {
    if (!notes[i].holds) continue;
    separate(&first);
    put_json(notes[i].words);
  }
  put("]\n}\n");
}

static void json_sentence(const struct sentence *one, int *first) {
  put(*first ? "\n    " : ",\n    ");
  *first = 0;
  put("{\"line\": ");
  put_count(one->line);
  put(", \"words\": ");
  put_count(one->words);
  put(", \"grade\": ");
  put_number(grade_of(one->words, 1, one->syllables));
  put(", \"hardWords\": ");
  put_count(one->complex);
  put(", \"commas\": ");
  put_count(one->commas);
  put(", \"begins\": ");
  put_json(one->excerpt);
  put(one->excerpt_cut ? ", \"cut\": true}" : "}");
}

static void json_sentences(const char *name) {
  int first = 1;
  put(",\n  \"");
  put(name);
  put("\": [");
  for (u32 i = 0; i < listed_length; i++) json_sentence(&listed[i], &first);
  put(first ? "]" : "\n  ]");
}

static void json_score(void) {
  int first = 1;
  put("{\n  \"words\": ");
  put_count(total.words);
  json_count("sentences", total.sentences);
  json_count("paragraphs", total.paragraphs);
  json_count("syllables", total.syllables);
  json_count("hardWordCount", total.complex);
  json_count("longSentenceCount", total.long_sentences);
  json_count("passiveSentences", total.passive);
  if (total.words > 0) {
    json_figure("wordsPerSentence", (double)total.words / total.sentences);
    json_figure("readingEase", ease_of());
    json_figure("grade", grade_of(total.words, total.sentences, total.syllables));
    json_figure("fog", fog_of());
    json_figure("readingMinutes", total.words / 230.0);
    put(",\n  \"verdict\": ");
    put_json(verdict(ease_of()));
  } else put(",\n  \"wordsPerSentence\": null,\n  \"readingEase\": null,\n  \"grade\": null,\n  \"fog\": null,\n  \"readingMinutes\": 0.0,\n  \"verdict\": null");
  json_sentences("longSentences");
  put(",\n  \"hardWords\": [");
  for (int i = 0; i < 10; i++) {
    struct counted_word *most = most_used();
    if (!most) break;
    separate(&first);
    put("{\"word\": ");
    put_json(most->word);
    put(", \"count\": ");
    put_count(most->count);
    put(", \"line\": ");
    put_count(most->line);
    put("}");
    most->count = 0;
  }
  put("],\n  \"doubledWords\": [");
  first = 1;
  for (u32 i = 0; i < doubled_length; i++) {
    separate(&first);
    put("{\"word\": ");
    put_json(doubled[i].word);
    put(", \"line\": ");
    put_count(doubled[i].line);
    put("}");
  }
  put("],\n  \"fillers\": [");
  first = 1;
  for (u32 i = 0; i < FILLERS; i++) {
    if (filler_counts[i].count == 0) continue;
    separate(&first);
    put("{\"word\": ");
    put_json(fillers[i]);
    put(", \"count\": ");
    put_count(filler_counts[i].count);
    put(", \"line\": ");
    put_count(filler_counts[i].line);
    put("}");
  }
  put("],\n  \"leftOut\": {\"headings\": ");
  put_count(total.headings);
  put(", \"codeLines\": ");
  put_count(total.code_lines);
  put(", \"tableRows\": ");
  put_count(total.tables);
  put("}");
  json_notes();
}

static void json_hard(void) {
  put("{\n  \"sentenceCount\": ");
  put_count(total.sentences);
  json_sentences("sentences");
  json_notes();
}

static void row(const char *name, u32 value) {
  put("  ");
  put(name);
  put_count(value);
  put("\n");
}

static void text_notes(void) {
  if (was_cut) put("Note: only the first 8 MiB were read.\n");
  if (bad_bytes > 0) put("Note: some bytes are no UTF-8; convert the text first.\n");
  if (total.words > 0 && total.foreign * 5 > total.words) put("Note: the figures are made for English, and this text is mostly not in the Latin alphabet.\n");
  if (total.words > 0 && total.words < 100) put("Note: fewer than 100 words; the figures mean little.\n");
}

static void text_sentences(void) {
  for (u32 i = 0; i < listed_length; i++) {
    const struct sentence *one = &listed[i];
    put("  line ");
    put_count(one->line);
    put(", ");
    put_count(one->words);
    put(" words, grade ");
    put_number(grade_of(one->words, 1, one->syllables));
    if (one->complex > 0) {
      put(", ");
      put_count(one->complex);
      put(one->complex == 1 ? " hard word" : " hard words");
    }
    if (one->commas > 2) {
      put(", ");
      put_count(one->commas);
      put(" commas and the like");
    }
    put(":\n    ");
    put(one->excerpt);
    put(one->excerpt_cut ? "…\n" : "\n");
  }
}

static void text_score(void) {
  if (total.words == 0) {
    put("There is no running text here: only headings, code, tables or lists of single words.\n");
    text_notes();
    return;
  }
  double ease = ease_of();
  put("Reading ease ");
  put_number(ease);
  put(" (0 is hard, 100 easy): ");
  put(verdict(ease));
  put("\nSchool grade ");
  put_number(grade_of(total.words, total.sentences, total.syllables));
  put(", fog index ");
  put_number(fog_of());
  put(", about ");
  put_number(total.words / 230.0);
  put(" minutes to read\n\n");
  row("words                 ", total.words);
  row("sentences             ", total.sentences);
  put("  words per sentence    ");
  put_number((double)total.words / total.sentences);
  put("\n");
  row("syllables (estimate)  ", total.syllables);
  row("hard words            ", total.complex);
  row("long sentences        ", total.long_sentences);
  row("passive (estimate)    ", total.passive);
  if (listed_length > 0) {
    put("\nLongest sentences\n");
    text_sentences();
  }
  struct counted_word *most = most_used();
  if (most) put("\nHard words used most\n");
  for (int i = 0; most && i < 10; i++, most = most_used()) {
    put("  ");
    put(most->word);
    put(" (");
    put_count(most->count);
    put("x, first in line ");
    put_count(most->line);
    put(")\n");
    most->count = 0;
  }
  if (doubled_length > 0) put("\nThe same word twice\n");
  for (u32 i = 0; i < doubled_length; i++) {
    put("  line ");
    put_count(doubled[i].line);
    put(": ");
    put(doubled[i].word);
    put("\n");
  }
  int any = 0;
  for (u32 i = 0; i < FILLERS; i++) {
    if (filler_counts[i].count == 0) continue;
    if (!any) put("\nWords that are often better left out\n");
    any = 1;
    put("  ");
    put(fillers[i]);
    put(" (");
    put_count(filler_counts[i].count);
    put("x, first in line ");
    put_count(filler_counts[i].line);
    put(")\n");
  }
  put("\n");
  text_notes();
}

static void text_hard(void) {
  if (listed_length == 0) put("No sentence of eight words or more.\n");
  else put("Hardest sentences, the hardest first\n");
  text_sentences();
  text_notes();
}

static void read_input(void) {
  for (;;) {
    ssize_t got = read(0, input + input_length, MOST_INPUT + 1 - input_length);
    if (got <= 0) break;
    input_length += (size_t)got;
    if (input_length > MOST_INPUT) {
      input_length = MOST_INPUT;
      was_cut = 1;
      break;
    }
  }
  if (input_length == 0) fail("no text on standard input", "");
  if (input_length > 1 && ((input[0] == 0xff && input[1] == 0xfe) || (input[0] == 0xfe && input[1] == 0xff))) fail("the text is UTF-16; convert it to UTF-8 first", "");
}

int main(int argc, char **argv) {
  read_options(argc, argv);
  read_input();
  read_text();
  if (options.hard) (options.json ? json_hard : text_hard)();
  else (options.json ? json_score : text_score)();
  flush();
  return 0;
}
