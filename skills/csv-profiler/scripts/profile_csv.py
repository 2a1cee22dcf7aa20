#!/usr/bin/env python3
"""Profile a delimited text file: structure, column types, missing values, outliers, damage.

Streams the input, so memory stays bounded for large files. Standard library only.
"""

import argparse
import array
import codecs
import csv
import gzip
import hashlib
import heapq
import io
import json
import math
import os
import random
import re
import signal
import sys
import zlib
from datetime import date

SELF = "profile_csv"
SAMPLE_BYTES = 1 << 20
MAX_LINE_CHARS = 64 << 20
RESERVOIR = 100_000
KMV_SIZE = 1024
EXAMPLES = 5
DEFAULT_MISSING = ["", "na", "n/a", "#n/a", "null", "none", "nil", "nan", "-", "--", "?", "\\n"]


class UserError(Exception):
    """A problem to report in one line, without a traceback."""


# --------------------------------------------------------------------------- input


class Prefixed(io.RawIOBase):
    """A raw stream that first replays bytes that were already read."""

    def __init__(self, head, stream):
        super().__init__()
        self._head = memoryview(head)
        self._stream = stream

    def readable(self):
        return True

    def readinto(self, target):
        if self._head:
            count = min(len(target), len(self._head))
            target[:count] = self._head[:count]
            self._head = self._head[count:]
            return count
        data = self._stream.read(len(target))
        target[: len(data)] = data
        return len(data)


def read_up_to(stream, size):
    parts, have = [], 0
    while have < size:
        part = stream.read(size - have)
        if not part:
            break
        parts.append(part)
        have += len(part)
    return b"".join(parts)


MAGIC = [
    (b"PK\x03\x04", "a ZIP container (an .xlsx or .ods workbook?); export the sheet as CSV first"),
    (b"\xd0\xcf\x11\xe0", "an old Office file (.xls?); export the sheet as CSV first"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3", "an SQLite database; export a table with: sqlite3 -header -csv FILE 'SELECT ...'"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "an image"),
    (b"BZh", "a bzip2 archive; decompress it first"),
    (b"\xfd7zXZ", "an xz archive; decompress it first"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive; decompress it first"),
]


def open_input(path):
    """Return (binary stream, first bytes, notes)."""
    notes = []
    if path == "-":
        stream = sys.stdin.buffer
    else:
        if os.path.isdir(path):
            raise UserError(f"{path} is a directory")
        try:
            stream = open(path, "rb")
        except OSError as error:
            raise UserError(f"cannot open {path}: {error.strerror}") from None
    head = read_up_to(stream, SAMPLE_BYTES)
    if head[:2] == b"\x1f\x8b":
        stream = gzip.GzipFile(fileobj=io.BufferedReader(Prefixed(head, stream)), mode="rb")
        notes.append("input is gzip-compressed; profiled the decompressed text")
        try:
            head = read_up_to(stream, SAMPLE_BYTES)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise UserError(f"the compressed input is damaged: {error}") from None
    return stream, head, notes


def detect_encoding(head, forced):
    """Return (codec name, label, note or None). Decoding uses surrogateescape for UTF-8."""
    if forced:
        try:
            codec = codecs.lookup(forced)
            if not getattr(codec, "_is_text_encoding", True) or codec.name in ("idna", "punycode", "undefined"):
                raise LookupError
            codecs.getincrementaldecoder(codec.name)
        except (LookupError, ValueError):
            raise UserError(f"unknown encoding: {shorten(forced)}") from None
        return codec.name, forced, None
    if head.startswith(codecs.BOM_UTF32_LE) or head.startswith(codecs.BOM_UTF32_BE):
        return "utf-32", "UTF-32 with byte order mark", None
    if head.startswith(codecs.BOM_UTF8):
        return "utf-8-sig", "UTF-8 with byte order mark", None
    if head.startswith(codecs.BOM_UTF16_LE) or head.startswith(codecs.BOM_UTF16_BE):
        return "utf-16", "UTF-16 with byte order mark", None
    for magic, what in MAGIC:
        if head.startswith(magic):
            raise UserError(f"this is not delimited text: it looks like {what}")
    probe = head[:65536]
    nulls = probe.count(0)
    if nulls:
        even, odd = probe[0::2].count(0), probe[1::2].count(0)
        if len(probe) >= 4 and max(even, odd) > 0.3 * (len(probe) / 2) and min(even, odd) < 0.05 * max(even, odd):
            name = "utf-16-be" if even > odd else "utf-16-le"
            return name, name.upper() + " without byte order mark (guessed)", None
        if nulls > 0.1 * len(probe):
            raise UserError("this looks like binary data, not delimited text (use --encoding to force an encoding)")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=False)
        label = "ASCII" if head.isascii() else "UTF-8"
        return "utf-8", label, None
    except UnicodeDecodeError:
        pass
    text = head.decode("utf-8", "surrogateescape")
    bad = sum(1 for c in text if "\udc80" <= c <= "\udcff")
    good = sum(1 for c in text if c > "\x7f") - bad
    if good > bad:
        return "utf-8", "UTF-8 with damaged bytes", "mostly valid UTF-8; bytes that are not were read as Windows-1252"
    control = sum(1 for c in text if c < " " and c not in "\t\r\n\f")
    if control > 0.02 * max(1, len(text)):
        raise UserError("this looks like binary data, not delimited text (use --encoding to force an encoding)")
    if any(byte in head for byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D)):
        return (
            "latin-1",
            "not UTF-8; read as Latin-1",
            "the encoding is a guess and holds bytes Windows-1252 does not use; try --encoding cp932, gb18030, big5, cp1251 or mac-roman",
        )
    return "cp1252", "not UTF-8; read as Windows-1252", "the encoding is a guess; check accented characters, or pass --encoding"


class Lines:
    """Iterate over physical lines; track numbers, endings and damage; allow push-back."""

    SURROGATE = re.compile("[\udc80-\udcff]")

    def __init__(self, text, max_record_lines):
        self._text = text
        self._queue = []
        self.number = 0
        self.max_record_lines = max_record_lines
        self.record = []
        self.endings = {"LF": 0, "CRLF": 0, "CR": 0}
        self.last_ended = True
        self.null_lines = []
        self.null_count = 0
        self.damaged_lines = []
        self.damaged_count = 0

    def start_record(self):
        self.record = []

    def push_back(self, lines):
        self._queue = lines + self._queue
        self.number -= len(lines)

    def __iter__(self):
        return self

    def __next__(self):
        if len(self.record) >= self.max_record_lines:
            raise Runaway()
        if self._queue:
            line = self._queue.pop(0)
            self.number += 1
        else:
            line = self._read()
        self.record.append(line)
        return line

    def _read(self):
        try:
            line = self._text.readline(MAX_LINE_CHARS)
        except UnicodeError as error:
            reason = getattr(error, "reason", None) or str(error)
            raise UserError(f"cannot decode the text near line {self.number + 1}: {reason}; try another --encoding") from None
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise UserError(f"the compressed input is damaged after line {self.number}: {error}") from None
        if not line:
            raise StopIteration
        self.number += 1
        if len(line) >= MAX_LINE_CHARS:
            raise UserError(f"line {self.number} is longer than {MAX_LINE_CHARS >> 20} million characters; this is not a usable CSV file")
        if line.endswith("\r\n"):
            self.endings["CRLF"] += 1
        elif line.endswith("\n"):
            self.endings["LF"] += 1
        elif line.endswith("\r"):
            self.endings["CR"] += 1
        else:
            self.last_ended = False
        if "\0" in line:
            self.null_count += line.count("\0")
            if len(self.null_lines) < EXAMPLES:
                self.null_lines.append(self.number)
            line = line.replace("\0", "")
        if not line.isascii():
            found = self.SURROGATE.findall(line)
            if found:
                self.damaged_count += len(found)
                if len(self.damaged_lines) < EXAMPLES:
                    self.damaged_lines.append(self.number)
                line = self.SURROGATE.sub(lambda m: bytes([ord(m.group()) - 0xDC00]).decode("cp1252", "replace"), line)
        return line


class Runaway(Exception):
    """One record took more physical lines than allowed: a quote is probably left open."""


def read_records(lines, dialect, problems):
    """Yield (first line number, fields). Malformed quoting is noted, and reading goes on."""
    reader = csv.reader(lines, strict=True, **dialect)
    while True:
        lines.start_record()
        start = lines.number + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except (Runaway, csv.Error) as error:
            raw = list(lines.record)
            unclosed = isinstance(error, Runaway) or "unexpected end of data" in str(error)
            if unclosed and len(raw) > 1:
                # Give up on the first line only, and read on from the next one.
                lines.push_back(raw[1:])
                raw = [raw[0].rstrip("\r\n")]
            if unclosed:
                reason = "a quote is opened and not closed"
            elif "expected after" in str(error):
                reason = "text follows a closing quote"
            else:
                reason = str(error)
            problems.add("malformed quoting", start, reason)
            reader = csv.reader(lines, strict=True, **dialect)
            lenient = next(csv.reader(raw, strict=False, **dialect), [])
            yield start, lenient
            continue
        yield start, fields


# --------------------------------------------------------------------------- dialect

CANDIDATES = [",", "\t", ";", "|", "\x1f", ":"]
DELIMITER_NAMES = {",": "comma", "\t": "tab", ";": "semicolon", "|": "pipe", "\x1f": "unit separator", ":": "colon", " ": "space"}


def first_records(sample, dialect, limit=200):
    records = []
    lines = sample.splitlines(keepends=True)
    try:
        for record in csv.reader(lines, strict=False, **dialect):
            if record:
                records.append(record)
            if len(records) >= limit:
                break
    except csv.Error:
        pass
    return records


def detect_delimiter(sample):
    """Choose the delimiter that gives the most rows of one equal width above 1."""
    best, best_score = None, 0.0
    for candidate in CANDIDATES:
        records = first_records(sample, {"delimiter": candidate})
        if len(records) > 1 and len(records) < 200:
            records = records[:-1] or records
        if not records:
            continue
        widths = {}
        for record in records:
            widths[len(record)] = widths.get(len(record), 0) + 1
        width = max(widths, key=lambda w: (widths[w], w))
        if width < 2:
            continue
        consistency = widths[width] / len(records)
        score = consistency * (1 + min(width, 30) / 100)
        if len(records[0]) == width:
            score *= 1.05
        if candidate == ":":
            score *= 0.6
        if score > best_score:
            best, best_score = candidate, score
    return best


def looks_like_header(records):
    if not records:
        return False
    first, rest = records[0], records[1:50]
    others = [record for record in rest if record != first]
    filled = [cell.strip() for cell in first]
    typed = ("integer", "decimal", "date", "datetime", "percent", "money", "uuid", "email", "code")
    if any(classify(cell)[0] in typed for cell in filled):
        return False
    if any(len(cell) > 120 for cell in filled):
        return False
    if not rest:
        return True
    for position, name in enumerate(filled):
        below = [record[position].strip() for record in others if position < len(record) and record[position].strip()]
        if name and below and sum(classify(cell)[0] in typed for cell in below) >= 0.7 * len(below):
            return True
    if len({cell.lower() for cell in filled if cell}) < len([cell for cell in filled if cell]):
        return False
    # Nothing but text: assume names, unless the first row also occurs as data.
    return all(first != other for other in rest)


# --------------------------------------------------------------------------- cell types

INTEGER = re.compile(r"[+-]?\d{1,40}\Z", re.ASCII)
DECIMAL = re.compile(r"[+-]?(?:\d{1,40}\.\d{0,60}|\.\d{1,60}|\d{1,40})(?:[eE][+-]?\d{1,4})?\Z", re.ASCII)
GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3}){1,12}(?:\.\d{1,20})?\Z", re.ASCII)
GROUPED_EU = re.compile(r"[+-]?\d{1,3}(?:[. '\u00a0\u202f]\d{3}){1,12},\d{1,20}\Z", re.ASCII)
DECIMAL_COMMA = re.compile(r"[+-]?\d{1,40},\d{1,20}\Z", re.ASCII)
MONEY = re.compile(r"[+-]?[$€£¥]\s?[+-]?\d[\d.,' ]{0,40}\Z|[+-]?\d[\d.,' ]{0,40}\s?[$€£¥]\Z")
PERCENT = re.compile(r"[+-]?\d{1,20}(?:[.,]\d{1,20})?\s?%\Z", re.ASCII)
ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?)?\Z", re.ASCII)
SLASH_DATE = re.compile(r"(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:[ T,]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(?:[AaPp][Mm])?)?\Z", re.ASCII)
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
NAMED_DATE = re.compile(r"(?:(\d{1,2})[ -]([A-Za-z]{3,9})\.?[ -,]{1,2}(\d{2,4})|([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4}))\Z", re.ASCII)
UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\Z")
EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s.]{1,63}(?:\.[^@\s.]{1,63}){1,8}\Z")
URL = re.compile(r"https?://\S+\Z", re.IGNORECASE)
BOOLEANS = {"true", "false", "yes", "no", "y", "n", "t", "f"}
EXCEL_ERRORS = {"#ref!", "#value!", "#div/0!", "#name?", "#num!", "#null!", "########"}
MOJIBAKE = re.compile("Ã[\u0080-\u00bf¡-¿‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€[œ\u009d™˜¢“”]|Â[ £©®°±·º»¿]|\ufffd|ï»¿")
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
HIDDEN = re.compile("[\u00a0\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def valid_date(year, month, day):
    try:
        date(year, month, day)
        return True
    except ValueError:
        return False


def classify(text):
    """Return (type, detail, number or ISO date or None) for a stripped, non-missing cell."""
    if not text:
        return "missing", None, None
    if len(text) > 120:
        return "text", "long", None
    first = text[0]
    if first.isdigit() or first in "+-.$€£¥":
        if INTEGER.match(text):
            digits = text.lstrip("+-")
            if len(digits) > 1 and digits[0] == "0":
                return "code", "leading zero", None
            if len(digits) == 8 and digits[:2] in ("19", "20") and valid_date(int(digits[:4]), int(digits[4:6]), int(digits[6:])):
                return "integer", "YYYYMMDD?", float(text)
            return "integer", "over 2^53" if abs(int(text)) > 2**53 else None, float(text)
        if DECIMAL.match(text):
            detail = None
            if "e" in text or "E" in text:
                detail = "scientific"
            value = float(text)
            return ("decimal", detail, value) if math.isfinite(value) else ("text", None, None)
        if GROUPED.match(text):
            return "decimal" if "." in text else "integer", "thousands separator", float(text.replace(",", ""))
        if GROUPED_EU.match(text):
            return "decimal", "decimal comma", float(re.sub(r"[. '\u00a0\u202f]", "", text).replace(",", "."))
        if DECIMAL_COMMA.match(text):
            return "decimal", "decimal comma", float(text.replace(",", "."))
        if PERCENT.match(text):
            return "percent", None, float(text.rstrip("% ").replace(",", "."))
        if MONEY.match(text):
            return "money", None, None
        match = ISO_DATE.match(text)
        if match:
            if not valid_date(int(match[1]), int(match[2]), int(match[3])):
                return "text", "impossible date", None
            if match[4] is None:
                return "date", "YYYY-MM-DD", text[:10]
            if int(match[4]) > 24 or int(match[5]) > 59:
                return "text", "impossible date", None
            return "datetime", "ISO with zone" if match[7] else "ISO without zone", text[:10]
        match = SLASH_DATE.match(text)
        if match:
            a, mark, b, c = int(match[1]), match[2], int(match[3]), int(match[4])
            kind = "datetime" if ":" in text else "date"
            if len(match[1]) == 4:
                return (kind, f"YYYY{mark}MM{mark}DD", f"{a:04d}-{b:02d}-{c:02d}") if valid_date(a, b, c) else ("text", "impossible date", None)
            if len(match[4]) in (2, 4):
                if a > 12 and b <= 12 and 1 <= b and a <= 31:
                    return kind, f"DD{mark}MM{mark}Y", None
                if b > 12 and a <= 12 and 1 <= a and b <= 31:
                    return kind, f"MM{mark}DD{mark}Y", None
                if 1 <= a <= 12 and 1 <= b <= 12:
                    return kind, f"??{mark}??{mark}Y", None
            return "text", None, None
    lower = text.lower()
    if lower in BOOLEANS:
        return "boolean", None, None
    if lower in EXCEL_ERRORS:
        return "text", "spreadsheet error", None
    if (first.isdigit() or lower[:3] in MONTHS) and NAMED_DATE.match(text):
        match = NAMED_DATE.match(text)
        if (match[2] or match[4]).lower()[:3] in MONTHS:
            return "date", "named month", None
    if "@" in text and EMAIL.match(text):
        return "email", None, None
    if UUID.match(text):
        return "uuid", None, None
    if lower.startswith("http") and URL.match(text):
        return "url", None, None
    if first in "=@" or (first in "+-" and len(text) > 1 and not text[1].isdigit() and any(c in text for c in "(!|")):
        return "text", "formula", None
    return "text", None, None


SENTINEL_NUMBERS = {-1.0, -9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0, 99999.0, 999999.0, 2147483647.0, -2147483648.0}
SENTINEL_DATES = {"1900-01-01", "1899-12-30", "1970-01-01", "1753-01-01", "0001-01-01", "9999-12-31", "2999-12-31"}


# --------------------------------------------------------------------------- column statistics


class Kmv:
    """Estimate the number of distinct values from the smallest hashes."""

    def __init__(self):
        self._heap = []
        self._members = set()

    def add(self, text):
        value = int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
        if value in self._members:
            return
        if len(self._heap) < KMV_SIZE:
            heapq.heappush(self._heap, -value)
            self._members.add(value)
        elif value < -self._heap[0]:
            self._members.discard(-heapq.heappushpop(self._heap, -value))
            self._members.add(value)

    def estimate(self):
        if len(self._heap) < KMV_SIZE:
            return len(self._heap)
        return int((KMV_SIZE - 1) / (-self._heap[0] / 2.0**64))


class Column:
    def __init__(self, index, name, options, cap):
        self.index = index
        self.name = name
        self.options = options
        self.cap = cap
        self.values = {}  # raw cell -> [count, first line]
        self.rest = None
        self.total = 0
        self.missing = {}
        self.missing_lines = []
        self.types = {}  # type -> [count, [(line, text)]]
        self.details = {}
        self.padded = 0
        self.padded_line = None
        self.flags = {}  # flag -> [count, line, text]
        self.min_len = None
        self.max_len = 0
        self.n = 0
        self.mean = 0.0
        self.m2 = 0.0
        self.low = []  # heaps of (value, -line) for the extremes
        self.high = []
        self.reservoir = array.array("d")
        self.exact = []
        self.random = random.Random(1234)
        self.first_date = None
        self.last_date = None
        self.sentinels = {}
        self.casefold = {}

    def add(self, cell, line):
        self.total += 1
        if len(cell) > 256:
            digest = hashlib.blake2b(cell.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
            key = f"{cell[:120]}\0{digest}\0{len(cell)}"
        else:
            key = cell
        known = self.values.get(key)
        if known is not None:
            known[0] += 1
        elif len(self.values) < self.cap:
            self.values[key] = [1, line]
        else:
            if self.rest is None:
                self.rest = Kmv()
            self.rest.add(key)
            self._digest(key, 1, line)

    def finish(self):
        for key, (count, line) in self.values.items():
            self._digest(key, count, line, tracked=True)

    def _digest(self, key, count, line, tracked=False):
        cell, length = key, len(key)
        if length > 256 or "\0" in key:
            cell, _, size = key.rpartition("\0")[0].rpartition("\0")[0], None, key.rpartition("\0")[2]
            length = int(size)
        text = cell.strip()
        lower = text.lower()
        if lower in self.options.missing:
            label = text if text else "(empty)"
            self.missing[label] = self.missing.get(label, 0) + count
            if len(self.missing_lines) < EXAMPLES:
                self.missing_lines.append(line)
            return
        if text != cell and length <= 256:
            self.padded += count
            self.padded_line = line if self.padded_line is None else min(line, self.padded_line)
        self.min_len = length if self.min_len is None else min(self.min_len, length)
        self.max_len = max(self.max_len, length)
        kind, detail, value = classify(text) if length <= 256 else ("text", "long", None)
        entry = self.types.setdefault(kind, [0, []])
        entry[0] += count
        if len(entry[1]) < EXAMPLES:
            entry[1].append((line, text))
        if detail:
            found = self.details.setdefault((kind, detail), [0, line, text])
            found[0] += count
        if isinstance(value, float):
            self._number(value, count, line, tracked)
            if value in SENTINEL_NUMBERS and kind == "integer":
                self.sentinels[text] = self.sentinels.get(text, 0) + count
        elif isinstance(value, str):
            if self.first_date is None or value < self.first_date:
                self.first_date = value
            if self.last_date is None or value > self.last_date:
                self.last_date = value
            if value in SENTINEL_DATES:
                self.sentinels[value] = self.sentinels.get(value, 0) + count
        if CONTROL.search(cell):
            self._flag("control characters", count, line, text)
        if not cell.isascii():
            if MOJIBAKE.search(cell):
                self._flag("mis-decoded characters", count, line, text)
            if HIDDEN.search(cell):
                self._flag("invisible or non-breaking characters", count, line, text)
        if kind == "text" and tracked and len(self.casefold) < 20000 and length <= 60:
            self.casefold.setdefault(" ".join(lower.split()), set()).add(text)

    def _flag(self, flag, count, line, text):
        found = self.flags.setdefault(flag, [0, line, text])
        found[0] += count

    def _number(self, value, count, line, tracked):
        old = self.n
        self.n += count
        delta = value - self.mean
        self.mean += delta * count / self.n
        self.m2 += delta * delta * old * count / self.n
        if len(self.high) < EXAMPLES:
            heapq.heappush(self.high, (value, -line))
        elif (value, -line) > self.high[0]:
            heapq.heapreplace(self.high, (value, -line))
        if len(self.low) < EXAMPLES:
            heapq.heappush(self.low, (-value, -line))
        elif (-value, -line) > self.low[0]:
            heapq.heapreplace(self.low, (-value, -line))
        if tracked and self.rest is None:
            self.exact.append((value, count))
            return
        for seen in range(old + 1, self.n + 1):
            if len(self.reservoir) < RESERVOIR:
                self.reservoir.append(value)
            else:
                slot = self.random.randrange(seen)
                if slot < RESERVOIR:
                    self.reservoir[slot] = value

    def quantiles(self, points):
        if self.rest is None:
            data = sorted(self.exact)
        else:
            data = [(value, 1) for value in sorted(self.reservoir)]
        size = sum(count for _, count in data)
        if not size:
            return None, data, 0
        wanted = [(min(size - 1, max(0, math.ceil(point * size) - 1)), i) for i, point in enumerate(points)]
        result, passed, pending = [None] * len(points), 0, sorted(wanted)
        for value, count in data:
            passed += count
            while pending and pending[0][0] < passed:
                result[pending.pop(0)[1]] = value
            if not pending:
                break
        return result, data, size

    def report(self, rows):
        missing = sum(self.missing.values())
        filled = self.total - missing
        distinct = len(self.values) - sum(1 for key in self.values if len(key) <= 60 and key.strip().lower() in self.options.missing)
        approximate = self.rest is not None
        if approximate:
            distinct += self.rest.estimate()
            distinct = min(distinct, filled)
        counts = {kind: entry[0] for kind, entry in sorted(self.types.items(), key=lambda item: -item[1][0])}
        kind = self._main_type(counts, filled)
        result = {
            "position": self.index + 1,
            "name": self.name,
            "type": kind,
            "filled": filled,
            "missing": missing,
            "missingShare": round(missing / self.total, 6) if self.total else 0.0,
            "missingTokens": dict(sorted(self.missing.items(), key=lambda item: -item[1])[:8]),
            "distinct": distinct,
            "distinctIsEstimate": approximate,
            "typeCounts": counts,
            "length": {"min": self.min_len or 0, "max": self.max_len},
            "issues": [],
        }
        if not self.options.no_values:
            top = sorted(
                ((key, count, line) for key, (count, line) in self.values.items() if key.strip().lower() not in self.options.missing),
                key=lambda item: (-item[1], item[2]),
            )
            result["topValues"] = [{"value": shorten(key.partition("\0")[0]), "count": count} for key, count, _ in top[: self.options.top]]
        unique = filled > 0 and missing == 0 and distinct == filled and not approximate
        result["candidateKey"] = unique and self.total == rows and rows > 1
        if self.n:
            result["numeric"] = self._numeric()
        if self.first_date:
            result["dates"] = {"first": self.first_date, "last": self.last_date}
        self._issues(result, counts, filled, distinct, approximate)
        return result

    @staticmethod
    def _main_type(counts, filled):
        if not filled:
            return "empty"
        counts = dict(counts)
        if "boolean" in counts and "text" in counts:
            # Single letters such as Y or T also occur as ordinary codes.
            counts["text"] += counts.pop("boolean")
        if "integer" in counts and "decimal" in counts:
            counts["decimal"] += counts.pop("integer")
        if "code" in counts and "integer" in counts:
            # One leading zero is enough: the column holds codes, not quantities.
            counts["code"] += counts.pop("integer")
        if "date" in counts and "datetime" in counts:
            counts["datetime"] += counts.pop("date")
        kind = max(counts, key=lambda item: counts[item])
        return kind if counts[kind] >= 0.9 * filled else "mixed"

    def _numeric(self):
        (p01, q1, median, q3, p99), data, size = self.quantiles([0.01, 0.25, 0.5, 0.75, 0.99])
        spread = q3 - q1
        numeric = {
            "count": self.n,
            "min": -max(self.low)[0] if self.low else None,
            "p01": p01,
            "q1": q1,
            "median": median,
            "q3": q3,
            "p99": p99,
            "max": max(self.high)[0],
            "mean": round_sig(self.mean),
            "stdev": round_sig(math.sqrt(max(0.0, self.m2 / (self.n - 1)))) if self.n > 1 else 0.0,
            "quantilesFromSample": self.rest is not None and self.n > RESERVOIR,
            "outliers": None,
        }
        low, high = q1 - 3 * spread, q3 + 3 * spread
        if spread > 0 and size >= 8 and math.isfinite(low) and math.isfinite(high):
            share = sum(count for value, count in data if value < low or value > high) / size
            extremes = sorted({(-v, -line) for v, line in self.low if -v < low} | {(v, -line) for v, line in self.high if v > high})
            if share > 0 or extremes:
                numeric["outliers"] = {
                    "below": round_sig(low),
                    "above": round_sig(high),
                    "count": max(len(extremes), round(share * self.n)),
                    "examples": [{"line": line} if self.options.no_values else {"line": line, "value": value} for value, line in extremes[:EXAMPLES]],
                }
        return numeric

    def _issues(self, result, counts, filled, distinct, approximate):
        add = result["issues"].append

        def show(text):
            return "" if self.options.no_values else f" (e.g. {shorten(text)!r})"

        if not filled:
            add({"kind": "empty column", "message": "no values at all"})
            return
        if distinct == 1 and self.total > 1 and result["missing"] == 0:
            add({"kind": "constant", "message": "every row has the same value"})
        kind = result["type"]
        if kind == "mixed":
            parts = ", ".join(f"{count} {name}" for name, count in counts.items())
            add({"kind": "mixed types", "message": f"no single type covers 90% of values: {parts}"})
        elif len(counts) > 1:
            compatible = {"decimal": {"integer"}, "datetime": {"date"}, "code": {"integer"}}.get(kind, set()) | {kind}
            if kind not in ("text",):
                odd = [(name, entry) for name, entry in self.types.items() if name not in compatible]
                count = sum(entry[0] for _, entry in odd)
                if count:
                    samples = sorted((line, text) for _, entry in odd for line, text in entry[1])[:3]
                    where = ", ".join(f"line {line}" + ("" if self.options.no_values else f": {shorten(text, 30)!r}") for line, text in samples)
                    add({"kind": "stray types", "message": f"{count} value(s) are not {kind}: {where}"})
        wording = {
            "leading zero": "values with leading zeros; keep the column as text",
            "over 2^53": "integers too large for a double; keep as text or 64-bit integer",
            "scientific": "values in scientific notation; if these are identifiers, a spreadsheet has destroyed digits",
            "thousands separator": "numbers with thousands separators",
            "decimal comma": "numbers with a decimal comma",
            "impossible date": "values look like dates but do not exist",
            "spreadsheet error": "spreadsheet error values",
            "formula": "cells start like a formula; escape them before anyone opens the file in a spreadsheet",
            "YYYYMMDD?": "integers could be dates written YYYYMMDD",
        }
        for (name, detail), (count, line, text) in sorted(self.details.items(), key=lambda item: -item[1][0]):
            if detail == "YYYYMMDD?" and count < 0.9 * filled:
                continue
            if name in ("integer", "decimal") and kind not in ("integer", "decimal", "code", "mixed") and count < 0.01 * filled:
                continue  # e.g. hexadecimal identifiers that happen to look like numbers
            if detail in wording:
                add({"kind": detail, "message": f"{count} {wording[detail]}; first at line {line}{show(text)}"})
        formats = {}
        for (name, detail), (count, _, _) in self.details.items():
            if name in ("date", "datetime"):
                formats[detail] = formats.get(detail, 0) + count
        ordered = {f for f in formats if f[:2] in ("DD", "MM")}
        unknown = {f for f in formats if f.startswith("??")}
        if {f[:2] for f in ordered} == {"DD", "MM"}:
            add({"kind": "date order", "message": "day-first and month-first dates are mixed; the ambiguous ones cannot be recovered from this column alone"})
        elif unknown and not ordered:
            add({"kind": "date order", "message": "every day and month is 12 or less, so the order cannot be told; ask the source"})
        elif unknown and ordered:
            order = "day first" if next(iter(ordered)).startswith("DD") else "month first"
            add({"kind": "date order", "message": f"dates are {order}, judged by values over 12"})
        families = {("??" if f[:2] in ("DD", "MM", "??") else f) for f in formats}
        if len(families) > 1:
            add({"kind": "date formats", "message": "several formats: " + ", ".join(f"{count} x {name}" for name, count in sorted(formats.items(), key=lambda i: -i[1]))})
        if self.padded:
            add({"kind": "padding", "message": f"{self.padded} value(s) have spaces at the start or end; first at line {self.padded_line}"})
        for flag, (count, line, text) in self.flags.items():
            add({"kind": flag, "message": f"{count} value(s) with {flag}; first at line {line}{show(text)}"})
        real = [token for token in self.missing if token != "(empty)"]
        if len(self.missing) > 1:
            add({"kind": "missing tokens", "message": "several ways to write a missing value: " + ", ".join(f"{token!r} x {count}" for token, count in self.missing.items())})
        elif real and kind not in ("empty",):
            add({"kind": "missing tokens", "message": f"missing values are written {real[0]!r}"})
        for token, count in self.sentinels.items():
            number = token.lstrip("-").isdigit()
            if number:
                value, lows, highs = float(token), sorted(-v for v, _ in self.low), sorted(v for v, _ in self.high)
                if self.n <= 20 or count < 2 or value not in (lows[0], highs[-1]):
                    continue
                outliers = result["numeric"]["outliers"]
                apart = outliers and not outliers["below"] <= value <= outliers["above"]
                alone = value < 0 and value == lows[0] and len(lows) > 1 and lows[1] >= 0
                if not apart and not alone and count < 3 * filled / max(1, distinct):
                    continue
            add({"kind": "placeholder", "message": f"{token} occurs {count} time(s) and may stand for a missing value"})
        variants = [sorted(group) for group in self.casefold.values() if len(group) > 1]
        if variants and kind == "text" and distinct <= max(1000, filled // 2):
            if self.options.no_values:
                add({"kind": "spelling variants", "message": f"{len(variants)} group(s) differ only in case or spacing"})
            else:
                shown = "; ".join(" / ".join(repr(shorten(v, 24)) for v in group[:3]) for group in sorted(variants)[:3])
                add({"kind": "spelling variants", "message": f"{len(variants)} group(s) differ only in case or spacing: {shown}"})
        numeric = result.get("numeric")
        if numeric and numeric["outliers"] and kind in ("integer", "decimal", "percent"):
            outliers = numeric["outliers"]
            where = ", ".join(f"line {e['line']}" + (f": {number_text(e['value'])}" if "value" in e else "") for e in outliers["examples"][:3])
            about = "about " if numeric["quantilesFromSample"] else ""
            fences = "" if self.options.no_values else f" {number_text(outliers['below'])} to {number_text(outliers['above'])},"
            add({"kind": "outliers", "message": f"{about}{outliers['count']} value(s) outside{fences} 3 x the interquartile range; {where}"})


class Problems:
    def __init__(self):
        self.kinds = {}

    def add(self, kind, line, message):
        entry = self.kinds.setdefault(kind, {"count": 0, "examples": []})
        entry["count"] += 1
        if len(entry["examples"]) < EXAMPLES:
            entry["examples"].append({"line": line, "message": message})


# --------------------------------------------------------------------------- profile


def shorten(text, limit=60):
    text = CONTROL.sub(lambda m: f"\\x{ord(m.group()):02x}", text.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t"))
    text = re.sub("[\u202a-\u202e\u2066-\u2069]", "", text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def round_sig(value, digits=6):
    if value == 0 or not math.isfinite(value):
        return 0.0 if value == 0 else None
    return round(value, digits - 1 - int(math.floor(math.log10(abs(value)))))


def number_text(value):
    if value is None:
        return "?"
    if float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.6g}"


def header_names(cells, problems, line):
    names, seen = [], {}
    for position, cell in enumerate(cells, 1):
        name = shorten(cell.strip().lstrip("\ufeff"), 120)
        if not name:
            problems.add("empty column name", line, f"column {position} has no name")
            name = f"column_{position}"
        elif name != cell:
            problems.add("untidy column name", line, f"column {position} has spaces or control characters around {name!r}")
        if name.lower() in seen:
            problems.add("repeated column name", line, f"column {position} repeats {name!r} of column {seen[name.lower()]}")
            name = f"{name}#{position}"
        seen.setdefault(name.lower(), position)
        names.append(name)
    return names


def profile(path, options):
    stream, head, notes = open_input(path)
    if not head:
        raise UserError(f"{'standard input' if path == '-' else path} is empty")
    codec, label, note = detect_encoding(head, options.encoding)
    if note:
        notes.append(note)
    errors = "surrogateescape" if codec in ("utf-8", "utf-8-sig") else ("replace" if codec == "cp1252" else "strict")
    try:
        decoder = codecs.getincrementaldecoder(codec)(errors if errors != "strict" else "replace")
        sample = decoder.decode(head[: 256 << 10], final=False)
    except UnicodeError as error:
        raise UserError(f"cannot decode the input as {label}: {error}") from None
    if not sample.strip():
        raise UserError(f"{'standard input' if path == '-' else path} holds only white space")
    preamble = None
    match = re.match(r"\ufeff?sep=(.)\r?\n", sample)
    if match:
        preamble = match[1]
        notes.append(f"the first line is a spreadsheet hint (sep={preamble!r}) and was skipped")
        sample = sample[match.end() :]
    delimiter = options.delimiter or preamble or detect_delimiter(sample)
    single = delimiter is None
    if single:
        delimiter = "\x1f"
        notes.append("no delimiter found: treated as one column")
    if len({delimiter, options.quote, options.escape or ""}) < 3:
        raise UserError("delimiter, quote and escape characters must differ")
    dialect = {"delimiter": delimiter, "quotechar": options.quote, "doublequote": True}
    if options.escape:
        dialect["escapechar"] = options.escape
        dialect["doublequote"] = False
    try:
        csv.reader([], **dialect)
    except (TypeError, ValueError) as error:
        raise UserError(f"unusable delimiter or quote: {error}") from None

    records = first_records(sample, dialect)
    header = options.header if options.header is not None else looks_like_header(records)

    raw = io.BufferedReader(Prefixed(head, stream), 1 << 20)
    text = io.TextIOWrapper(raw, encoding=codec, errors=errors, newline="")
    lines = Lines(text, options.max_record_lines)
    problems = Problems()
    reader = read_records(lines, dialect, problems)

    columns, names, width = [], [], None
    rows = blank = multiline = 0
    widths = {}
    seen_rows, repeats, repeat_lines, rows_capped = set(), 0, [], False
    keys, key_repeats, key_lines, key_positions = {}, 0, [], None
    truncated, header_row = False, None

    for line, fields in reader:
        if line == 1 and preamble:
            continue
        if not fields or (len(fields) == 1 and not fields[0].strip() and (width or 2) > 1):
            blank += 1
            continue
        if width is None:
            width = len(fields)
            if width > options.max_columns:
                raise UserError(f"{width} columns, more than --max-columns {options.max_columns}; wrong delimiter?")
            if not header:
                # Without a header, trust the most common width of the sample.
                common = {}
                for record in records:
                    common[len(record)] = common.get(len(record), 0) + 1
                if common:
                    width = max(common, key=lambda w: common[w])
            names = header_names(fields, problems, line) if header else [f"column_{i + 1}" for i in range(width)]
            cap = max(2000, min(100_000, 2_000_000 // max(1, width)))
            columns = [Column(i, name, options, cap) for i, name in enumerate(names)]
            if options.key:
                key_positions = []
                for wanted in options.key:
                    if wanted in names:
                        key_positions.append(names.index(wanted))
                    elif wanted.isdigit() and 1 <= int(wanted) <= width:
                        key_positions.append(int(wanted) - 1)
                    else:
                        raise UserError(f"--key: no column {wanted!r}; columns are {', '.join(names[:20])}")
            if header:
                header_row = fields
                continue
        if options.max_rows and rows >= options.max_rows:
            truncated = True
            break
        rows += 1
        if lines.number > line:
            multiline += 1
        widths[len(fields)] = widths.get(len(fields), 0) + 1
        if len(fields) != width:
            problems.add("too many fields" if len(fields) > width else "too few fields", line, f"{len(fields)} fields, expected {width}")
        if header and fields == header_row:
            problems.add("repeated header", line, "the header line occurs again among the rows")
        for column, cell in zip(columns, fields):
            column.add(cell, line)
        fingerprint = hash(tuple(fields))
        if fingerprint in seen_rows:
            repeats += 1
            if len(repeat_lines) < EXAMPLES:
                repeat_lines.append(line)
        elif len(seen_rows) < 2_000_000:
            seen_rows.add(fingerprint)
        else:
            rows_capped = True
        if key_positions is not None and max(key_positions) < len(fields):
            value = hash(tuple(fields[i] for i in key_positions))
            if value in keys:
                key_repeats += 1
                if len(key_lines) < EXAMPLES:
                    key_lines.append([keys[value], line])
            elif len(keys) < 5_000_000:
                keys[value] = line

    if width is None:
        raise UserError("no rows found")
    for column in columns:
        column.finish()

    used = {name: count for name, count in lines.endings.items() if count}
    if len(used) > 1:
        notes.append("mixed line endings: " + ", ".join(f"{count} {name}" for name, count in used.items()))
    if not lines.last_ended and not truncated:
        notes.append("the last line has no line ending; check that the file is complete")
    if lines.null_count:
        notes.append(f"{lines.null_count} NUL byte(s) removed; first at line {lines.null_lines[0]}")
    if lines.damaged_count:
        notes.append(f"{lines.damaged_count} byte(s) are not valid UTF-8; first at line {', '.join(map(str, lines.damaged_lines))}")
    if truncated:
        notes.append(f"stopped after {rows} rows (--max-rows)")

    result = {
        "source": "stdin" if path == "-" else os.path.basename(path),
        "encoding": label,
        "delimiter": None if single else delimiter,
        "delimiterName": "none" if single else DELIMITER_NAMES.get(delimiter, repr(delimiter)),
        "header": bool(header),
        "lineEndings": used,
        "physicalLines": lines.number,
        "rows": rows,
        "blankLines": blank,
        "multilineRows": multiline,
        "rowWidths": {str(w): c for w, c in sorted(widths.items(), key=lambda item: -item[1])[:10]},
        "repeatedRows": {"count": repeats, "lines": repeat_lines, "isLowerBound": rows_capped},
        "rowProblems": problems.kinds,
        "notes": notes,
        "columns": [column.report(rows) for column in columns],
    }
    if key_positions is not None:
        result["key"] = {"columns": [names[i] for i in key_positions], "repeats": key_repeats, "lines": key_lines}
    return result


# --------------------------------------------------------------------------- output


def render(result, options):
    out = []
    ends = "/".join(result["lineEndings"]) or "none"
    out.append(f"# Profile of {result['source']}")
    out.append("")
    out.append(
        f"{result['rows']} rows x {len(result['columns'])} columns. {result['encoding']}, delimiter {result['delimiterName']}, "
        f"line endings {ends}, {'with' if result['header'] else 'no'} header."
    )
    extra = []
    if result["blankLines"]:
        extra.append(f"{result['blankLines']} blank line(s)")
    if result["multilineRows"]:
        extra.append(f"{result['multilineRows']} row(s) spanning several lines")
    repeated = result["repeatedRows"]
    if repeated["count"]:
        extra.append(f"{'at least ' if repeated['isLowerBound'] else ''}{repeated['count']} repeated row(s), first at line {repeated['lines'][0]}")
    if extra:
        out.append("; ".join(extra).capitalize() + ".")
    if "key" in result:
        key = result["key"]
        name = " + ".join(key["columns"])
        if key["repeats"]:
            pairs = ", ".join(f"{a} and {b}" for a, b in key["lines"][:3])
            out.append(f"Key {name}: NOT unique, {key['repeats']} repeat(s), e.g. lines {pairs}.")
        else:
            out.append(f"Key {name}: unique.")
    for note in result["notes"]:
        out.append(f"Note: {note}.")
    if result["rowProblems"]:
        out += ["", "## Row problems", ""]
        for kind, entry in result["rowProblems"].items():
            where = "; ".join(f"line {e['line']}: {e['message']}" for e in entry["examples"][:3])
            out.append(f"- {kind}: {entry['count']} ({where})")
    out += ["", "## Columns", "", "| # | name | type | missing | distinct | range or most common |", "|--:|---|---|--:|--:|---|"]
    for column in result["columns"]:
        if column.get("numeric") and column["type"] in ("integer", "decimal", "percent"):
            n = column["numeric"]
            summary = "" if options.no_values else f"{number_text(n['min'])} … {number_text(n['median'])} … {number_text(n['max'])}"
        elif column.get("dates") and column["type"] in ("date", "datetime"):
            summary = f"{column['dates']['first']} … {column['dates']['last']}"
        else:
            summary = ", ".join(f"{top['value']} ({top['count']})" for top in column.get("topValues", [])[:3])
        share = column["missingShare"]
        percent = "0" if not column["missing"] else f"{share:.1%}" if share >= 0.001 else "<0.1%"
        distinct = ("~" if column["distinctIsEstimate"] else "") + str(column["distinct"]) + (" key?" if column["candidateKey"] else "")
        cells = [str(column["position"]), column["name"], column["type"], percent, distinct, shorten(summary, 80)]
        out.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    findings = [(column["name"], issue) for column in result["columns"] for issue in column["issues"]]
    if findings:
        out += ["", "## Findings", ""]
        out += [f"- {name}: {issue['message']}" for name, issue in findings]
    return "\n".join(out)


def one_char(value):
    value = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}.get(value.lower(), value)
    if len(value) != 1 or value in "\r\n\0":
        raise argparse.ArgumentTypeError("must be a single character, or tab, comma, semicolon, pipe, space")
    return value


def positive(value):
    if not value.isdigit() or int(value) < 1:
        raise argparse.ArgumentTypeError("must be a whole number above 0")
    return int(value)


def main():
    parser = argparse.ArgumentParser(
        prog="profile_csv.py",
        description="Profile a CSV or other delimited text file. Reads the whole input once, in bounded memory.",
        epilog="Exit status: 0 when the profile was made, 1 with --strict and structural problems found, 2 on any error.",
    )
    parser.add_argument("file", nargs="?", default="-", help="file to read, plain or gzip; '-' or nothing reads standard input")
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    parser.add_argument("--delimiter", type=one_char, metavar="CHAR", help="field separator (default: detect)")
    parser.add_argument("--quote", type=one_char, default='"', metavar="CHAR", help="quote character (default: \")")
    parser.add_argument("--escape", type=one_char, metavar="CHAR", help="escape character, e.g. '\\' for MySQL exports (default: doubled quotes)")
    parser.add_argument("--encoding", metavar="NAME", help="text encoding (default: detect)")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--header", dest="header", action="store_true", default=None, help="the first row holds column names")
    group.add_argument("--no-header", dest="header", action="store_false", help="the first row is data")
    parser.add_argument("--key", metavar="COLS", help="check that these columns together are unique: names or numbers, separated by commas")
    parser.add_argument("--missing", action="append", default=[], metavar="TOKEN", help="another token that means missing (repeatable)")
    parser.add_argument("--top", type=positive, default=5, metavar="N", help="most common values per column (default: 5)")
    parser.add_argument("--max-rows", type=positive, metavar="N", help="stop after N rows")
    parser.add_argument("--max-columns", type=positive, default=5000, metavar="N", help="refuse files wider than N (default: 5000)")
    parser.add_argument("--max-record-lines", type=positive, default=1000, metavar="N", help="lines one quoted record may span before its quote counts as unclosed (default: 1000)")
    parser.add_argument("--no-values", action="store_true", help="do not print cell values (date ranges and missing tokens remain); for personal data")
    parser.add_argument("--strict", action="store_true", help="exit 1 if rows are malformed or of unequal width, or --key is not unique")
    options = parser.parse_args()
    options.missing = set(DEFAULT_MISSING) | {token.strip().lower() for token in options.missing}
    options.key = [part.strip() for part in options.key.split(",") if part.strip()] if options.key else None

    csv.field_size_limit(MAX_LINE_CHARS)
    result = profile(options.file, options)
    if options.no_values:
        for column in result["columns"]:
            if "numeric" in column:
                column["numeric"] = {k: v for k, v in column["numeric"].items() if k in ("count", "quantilesFromSample")}
    if options.json:
        json.dump(result, sys.stdout, ensure_ascii=True, indent=2)
        print()
    else:
        print(render(result, options))
    if options.strict and (result["rowProblems"] or result.get("key", {}).get("repeats")):
        return 1
    return 0


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
        sys.stderr.reconfigure(errors="replace")
    try:
        sys.exit(main())
    except UserError as error:
        print(f"{SELF}: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except MemoryError:
        print(f"{SELF}: out of memory; try --max-rows", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"{SELF}: input or output failed: {error.strerror or error}", file=sys.stderr)
        sys.exit(2)
    except Exception as error:  # a defect in this script: say so in one line
        print(f"{SELF}: unexpected problem: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(2)
