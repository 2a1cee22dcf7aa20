#!/usr/bin/env python3
"""Merge timestamped notes from several sources into one sorted incident timeline.

Understands chat copies, hand-written notes, log lines and JSON exports; converts time
zones; reports gaps, doubts and possible secrets. Standard library only.
"""

import argparse
import json
import os
import re
import signal
import sys
from datetime import date, datetime, timedelta, timezone

try:
    from zoneinfo import ZoneInfo
except ImportError:  # pragma: no cover - Python before 3.9
    ZoneInfo = None

SELF = "merge_timeline"
MAX_BYTES = 64 << 20
MAX_TEXT = 2000
MAX_ENTRIES = 200_000
UTC = timezone.utc


class UserError(Exception):
    """A problem to report in one line, without a traceback."""


# --------------------------------------------------------------------------- zones

ABBREVIATIONS = {
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEST": 60, "CET": 60, "CEST": 120, "EET": 120, "EEST": 180,
    "EST": -300, "EDT": -240, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420, "JST": 540, "AEST": 600, "AEDT": 660,
}  # fmt: skip
AMBIGUOUS_ABBREVIATIONS = {"CST", "IST", "BST", "AST", "SST", "ECT", "AMT"}


def parse_offset(text):
    match = re.match(r"(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?\Z", text)
    if not match:
        return None
    minutes = int(match[2]) * 60 + int(match[3] or 0)
    if minutes > 15 * 60:
        return None
    return timezone(timedelta(minutes=-minutes if match[1] == "-" else minutes))


def zone(text):
    """A tzinfo from a name such as Europe/Berlin, UTC, CEST or +02:00."""
    text = text.strip()
    if text.upper() in ABBREVIATIONS:
        return timezone(timedelta(minutes=ABBREVIATIONS[text.upper()])) if ABBREVIATIONS[text.upper()] else UTC
    fixed = parse_offset(text.upper())
    if fixed:
        return fixed
    if text.upper() in AMBIGUOUS_ABBREVIATIONS:
        raise UserError(f"time zone {text} has several meanings; use a name such as Asia/Kolkata or an offset such as +05:30")
    if ZoneInfo is None:
        raise UserError("named time zones need Python 3.9 or later; use an offset such as +02:00")
    try:
        return ZoneInfo(text)
    except Exception:  # the library raises several unrelated types for bad keys
        raise UserError(f"unknown time zone: {printable(text, 40)} (use a name such as Europe/Berlin or an offset such as +02:00)") from None


# --------------------------------------------------------------------------- patterns

MONTHS = {name: i + 1 for i, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split())}
MONTH = r"(?P<mon>[A-Z][a-z]{2,8})\.?"
CLOCK = r"(?P<h>[01]?\d|2[0-4])[:h](?P<m>[0-5]\d)(?::(?P<s>[0-5]\d|60)(?:[.,]\d{1,9})?)?(?![\d:])(?:\s?(?P<ap>[AaPp])\.?[Mm]\.?(?![a-z]))?"
OFFSET = r"(?:\s?(?P<off>Z\b|(?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?(?!\d)|(?:UTC|GMT|WES?T|CES?T|EES?T|[ECMP][SD]T|JST|AE[SD]T|IST|BST|AST)\b))?"
PATTERNS = [
    ("iso", re.compile(rf"(?P<Y>\d{{4}})[-/.](?P<M>\d{{1,2}})[-/.](?P<D>\d{{1,2}})(?:,?\s+|T|_)(?:at\s+)?{CLOCK}{OFFSET}")),
    ("slash", re.compile(rf"(?P<a>\d{{1,2}})(?P<sep>[/.-])(?P<b>\d{{1,2}})(?P=sep)(?P<Y>\d{{4}}|\d{{2}}),?\s+(?:at\s+)?{CLOCK}{OFFSET}")),
    ("named", re.compile(rf"{MONTH}\s+(?P<D>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<Y>\d{{4}}))?,?\s+(?:at\s+)?{CLOCK}{OFFSET}")),
    ("named", re.compile(rf"(?P<D>\d{{1,2}})(?:st|nd|rd|th)?\.?\s+{MONTH}(?:,?\s+(?P<Y>\d{{4}}))?,?\s+(?:at\s+)?{CLOCK}{OFFSET}")),
    ("epoch", re.compile(r"(?P<epoch>1\d{9})(?:\.\d{1,9}|(?P<ms>\d{3}))?(?![\d.])")),
    ("clock", re.compile(rf"{CLOCK}{OFFSET}")),
]
DATE_LINE = re.compile(
    r"^(?:[#=*_\-\s]*)(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,?\s+)?"
    r"(?:(?P<Y>\d{4})-(?P<M>\d{1,2})-(?P<D>\d{1,2})|(?P<mon>[A-Z][a-z]{2,8})\.?\s+(?P<D2>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<Y2>\d{4})|(?P<D3>\d{1,2})(?:st|nd|rd|th)?\.?\s+(?P<mon3>[A-Z][a-z]{2,8})\.?,?\s+(?P<Y3>\d{4}))"
    r"[#=*_\-:\s]*$"
)
DIRECTIVE = re.compile(r"^(?:#+\s*|//\s*|<!--\s*)?(tz|timezone|date|source)\s*[:=]\s*(\S[^>]{0,80}?)\s*(?:-->)?$", re.IGNORECASE)
BULLET = re.compile(r"^(?:\s*(?:[-*+•>|]|\d{1,3}[.)])\s+)*\s*")
AUTHOR = re.compile(r"^(?:<(?P<a>[^<>\n]{1,40})>|(?P<b>@?[\w.'-]{1,30}(?: [\w.'-]{1,30}){0,3}):(?=\s))\s*")
CHAT_HEADER = re.compile(r"^(?P<who>@?[\w.'-]{1,30}(?: [\w.'()-]{1,30}){0,3}?)(?:\s{2,}|\s+\[|\s+(?:\u2014|\u2013|-)\s+|\s+(?=(?:[01]?\d|2[0-3]):[0-5]\d\s?[AaPp]\.?[Mm]))")
TAGS = {
    "start": "start", "impact": "start", "impact-start": "start", "began": "start",
    "detected": "detected", "detect": "detected", "alert": "detected",
    "ack": "acknowledged", "acknowledged": "acknowledged",
    "declared": "declared", "mitigated": "mitigated", "mitigation": "mitigated",
    "resolved": "resolved", "cause": "cause", "change": "change", "decision": "decision",
}  # fmt: skip
NOT_A_NAME = re.compile(r"(?i)(?:https?|error|warn(?:ing)?|info|debug|fatal|note|update|status|fyi|todo|re|action|decision|impact|cause|summary)$")
TAG = re.compile(r"(?:^|(?<=\s))#([A-Za-z][A-Za-z-]{1,20})\b")

SECRETS = [
    ("private key", re.compile(r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----")),
    ("password or token", re.compile(r"(?i)\b(?:password|passwd|pwd|secret|token|api[_-]?key)\b\s?[=:]\s?[^\s,;]{4,200}")),
    ("authorization header", re.compile(r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{12,2000}")),
    ("access key", re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bgh[pousr]_[A-Za-z0-9]{20,255}\b|\bxox[abprs]-[A-Za-z0-9-]{10,200}\b")),
    ("e-mail address", re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\b")),
    ("IP address", re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b")),
]


def printable(text, limit=MAX_TEXT):
    text = re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", " ", text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


class Source:
    """State while reading one file."""

    def __init__(self, label, tz, day, order):
        self.label = label
        self.tz = tz
        self.day = day
        self.day_inferred = False
        self.order = order
        self.last = None  # last local datetime, for the midnight check
        self.entries = []
        self.undated = []
        self.warnings = []

    def warn(self, line, message):
        if len(self.warnings) < 20:
            self.warnings.append({"source": self.label, "line": line, "message": message})


def month_number(name):
    return MONTHS.get(name[:3].lower())


def make_time(kind, match, source, line):
    """Return (aware datetime, precision, assumed) or None when the text is no time after all."""
    group = match.groupdict()
    if kind == "epoch":
        value = int(group["epoch"]) + (int(group["ms"]) / 1000 if group.get("ms") else 0)
        return datetime.fromtimestamp(value, UTC), "second", False
    hour, minute, second = int(group["h"]), int(group["m"]), int(group["s"] or 0)
    if group.get("ap"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if group["ap"].lower() == "p" else 0)
    extra = timedelta()
    if hour == 24:
        if minute or second:
            return None
        hour, extra = 0, timedelta(days=1)
    if second == 60:
        second, extra = 59, extra + timedelta(seconds=1)
    assumed = False
    if kind == "clock":
        if source.day is None:
            raise UserError(f"{source.label}, line {line}: a time without a date; pass --date YYYY-MM-DD or put the date on a line of its own above it")
        day = source.day
    else:
        if kind == "slash":
            a, b, year = int(group["a"]), int(group["b"]), int(group["Y"])
            year += 2000 if year < 100 else 0
            if group["sep"] == "." or source.order == "dmy" or a > 12:
                dayno, month = a, b
            elif source.order == "mdy" or b > 12:
                month, dayno = a, b
            elif a == b:
                month = dayno = a
            else:
                raise UserError(f"{source.label}, line {line}: {match[0].split()[0].rstrip(',')} can be read two ways; pass --date-order dmy or mdy")
        elif kind == "named":
            month = month_number(group["mon"])
            if month is None:
                return None
            dayno = int(group["D"])
            year = int(group["Y"]) if group["Y"] else (source.day.year if source.day else datetime.now(UTC).year)
            assumed = not group["Y"]
        else:
            year, month, dayno = int(group["Y"]), int(group["M"]), int(group["D"])
        if not 1990 <= year <= 2100:
            return None
        try:
            day = date(year, month, dayno)
        except ValueError:
            return None
    offset = group.get("off")
    tz = source.tz
    if offset:
        name = offset.upper()
        if name in AMBIGUOUS_ABBREVIATIONS:
            source.warn(line, f"zone {name} has several meanings; the zone of the source was used")
        else:
            tz = zone(name)
    local = datetime(day.year, day.month, day.day, hour, minute, second) + extra
    if kind == "clock":
        # Time-only notes that jump far back have passed midnight.
        if source.last is not None and local < source.last - timedelta(hours=6):
            local += timedelta(days=1)
            source.day, source.day_inferred = local.date(), True
            source.warn(line, f"time goes back from {source.last:%H:%M} to {local:%H:%M}; taken as the next day, {local.date()}")
        assumed = source.day_inferred
    else:
        source.day, source.day_inferred = day, False
    source.last = local
    aware = local.replace(tzinfo=tz)
    if aware.replace(fold=0).utcoffset() != aware.replace(fold=1).utcoffset():
        source.warn(line, f"{local:%Y-%m-%d %H:%M} falls into a clock change of its zone; it may be an hour off")
    return aware.astimezone(UTC), "second" if group["s"] else "minute", assumed


def find_time(text, source, line):
    """Find a time at the start of a line (after brackets). Return (moment, precision, assumed, rest) or None."""
    opened = re.match(r"[\[(*_`]{0,3}\s?", text).end()
    for kind, pattern in PATTERNS:
        match = pattern.match(text, opened)
        if not match:
            continue
        made = make_time(kind, match, source, line)
        if made is None:
            continue
        rest = text[match.end() :]
        rest = re.sub(r"^\s?[\])*_`]{0,3}\s*(?:[-–—:|,;]{1,2}(?=\s|$)|->|=>)?\s*", "", rest)
        return made + (rest,)
    return None


def parse_text(text, source):
    current = None
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.rstrip()
        if not line.strip():
            continue
        if current is None and not source.entries:
            directive = DIRECTIVE.match(line.strip())
            if directive:
                apply_directive(source, directive[1].lower(), directive[2], number)
                continue
        day = DATE_LINE.match(line.strip())
        if day:
            group = day.groupdict()
            year = int(group["Y"] or group["Y2"] or group["Y3"])
            month = int(group["M"]) if group["M"] else month_number(group["mon"] or group["mon3"])
            dayno = int(group["D"] or group["D2"] or group["D3"])
            try:
                if not 1990 <= year <= 2100:
                    raise ValueError
                source.day, source.last, source.day_inferred = date(year, month or 0, dayno), None, False
                current = None
                continue
            except ValueError:
                pass
        body = line[BULLET.match(line).end() :]
        found = find_time(body, source, number)
        author = None
        if not found:
            # "Alice  10:42 AM" on a line of its own, then the message
            header = CHAT_HEADER.match(body)
            if header:
                at = find_time(body[header.end() :], source, number) if re.match(r"[\[(]?\d", body[header.end() :]) else None
                if at and at[3] == "":
                    found, author = at, header["who"]
        if not found:
            if current is not None:
                if len(current["text"]) < MAX_TEXT:
                    current["text"] = (current["text"] + "\n" + body.strip()).strip("\n")
            elif not re.match(r"^[#=|\-\s]+$|^#{1,6}\s", line):
                source.undated.append({"source": source.label, "line": number, "text": printable(line.strip(), 300)})
            continue
        moment, precision, assumed, rest = found
        maybe = None
        if author is None:
            named = AUTHOR.match(rest)
            if named and named["a"]:
                author, rest = named["a"], rest[named.end() :]
            elif named and not NOT_A_NAME.match(named["b"]):
                # "10:42 Alice: ..." or "10:42 Rollback: ..."? Decided once all files are read.
                maybe = {"name": named["b"], "rest": rest[named.end() :], "head": rest, "sure": named["b"].startswith("@") or body.startswith(("[", "("))}
        current = add_entry(source, moment, precision, assumed, author, rest, number)
        current["maybe"] = maybe


def apply_directive(source, key, value, line):
    if key in ("tz", "timezone"):
        source.tz = zone(value)
    elif key == "source":
        source.label = printable(value, 40)
    else:
        try:
            source.day = date.fromisoformat(value)
            if not 1990 <= source.day.year <= 2100:
                raise ValueError
        except ValueError:
            raise UserError(f"{source.label}, line {line}: date: {printable(value, 40)} is not a day written YYYY-MM-DD") from None


def add_entry(source, moment, precision, assumed, author, text, line):
    if len(source.entries) >= MAX_ENTRIES:
        raise UserError(f"{source.label} holds more than {MAX_ENTRIES} entries; cut it down to the incident first")
    entry = {"maybe": None, "time": moment, "precision": precision, "dateAssumed": assumed, "source": source.label, "sources": [source.label], "author": author, "text": text, "line": line}
    source.entries.append(entry)
    return entry


TIME_KEYS = ("time", "timestamp", "@timestamp", "ts", "date", "datetime", "created_at", "createdAt", "at")
TEXT_KEYS = ("text", "message", "msg", "event", "note", "body", "content", "summary", "title", "description")
AUTHOR_KEYS = ("author", "user_name", "username", "user", "name", "from", "who", "sender")


def parse_json(items, source):
    for number, item in enumerate(items, 1):
        if not isinstance(item, dict):
            source.undated.append({"source": source.label, "line": number, "text": printable(json.dumps(item), 300)})
            continue
        value = next((item[key] for key in TIME_KEYS if item.get(key) not in (None, "")), None)
        text = next((item[key] for key in TEXT_KEYS if isinstance(item.get(key), str) and item[key].strip()), None)
        author = next((item[key] for key in AUTHOR_KEYS if isinstance(item.get(key), (str, dict)) and item[key]), None)
        if isinstance(author, dict):
            author = next((author[key] for key in ("name", "login", "email") if isinstance(author.get(key), str)), None)
        found = None
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            value = float(value)
            while 1e11 < value < 1e20:
                value /= 1000
            if 946684800 <= value < 4102444800:
                found = (datetime.fromtimestamp(value, UTC), "second", False)
        elif isinstance(value, str):
            found = find_time(value.strip(), source, number)
        if not found or text is None:
            source.undated.append({"source": source.label, "line": number, "text": printable(json.dumps(item), 300)})
            continue
        add_entry(source, found[0], found[1], found[2], printable(author, 60) if author else None, text, number)


# --------------------------------------------------------------------------- reading


def read_bytes(path):
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            if os.path.isdir(path):
                raise UserError(f"{path} is a directory; name the note files")
            with open(path, "rb") as handle:
                data = handle.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    label = "standard input" if path == "-" else path
    if len(data) > MAX_BYTES:
        raise UserError(f"{label} is larger than {MAX_BYTES >> 20} MB; cut it down to the incident first")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    control = sum(data.count(bytes([c])) for c in range(32) if c not in (9, 10, 12, 13, 27))
    if control > len(data) // 50:
        raise UserError(f"{label} looks like binary data, not notes")
    return data.decode("utf-8-sig", "replace")


def read_source(path, options):
    text = read_bytes(path)
    label = "stdin" if path == "-" else os.path.splitext(os.path.basename(path))[0]
    keys = {path, os.path.basename(path), label}
    tz = next((tz for name, tz in options.tz_for if name in keys), options.tz)
    source = Source(printable(label, 40), tz, options.date, options.date_order)
    text = re.sub("\x1b\\[[0-9;?]{0,20}[A-Za-z]", "", text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", " "))
    stripped = text.lstrip()
    if stripped[:1] in "[{" and stripped[:1]:
        items = None
        try:
            whole = json.loads(stripped)
            items = whole if isinstance(whole, list) else next((whole[k] for k in ("messages", "events", "entries", "items", "timeline") if isinstance(whole.get(k), list)), [whole])
        except (ValueError, RecursionError):
            try:
                items = [json.loads(line) for line in stripped.split("\n") if line.strip()] if stripped.startswith("{") else None
            except (ValueError, RecursionError):
                items = None
        if items is not None:
            parse_json(items, source)
            return source
    parse_text(text, source)
    return source


# --------------------------------------------------------------------------- merging


def settle_authors(entries):
    """Take 'word:' as a person if it is bracketed like a chat, or occurs repeatedly."""
    seen = {}
    for entry in entries:
        if entry["maybe"]:
            name = entry["maybe"]["name"]
            seen[name] = seen.get(name, 0) + 1
        elif entry["author"]:
            seen[entry["author"]] = seen.get(entry["author"], 0) + 1
    for entry in entries:
        maybe = entry.pop("maybe")
        if maybe and (maybe["sure"] or seen[maybe["name"]] > 1 or re.match(r"[A-Z]\w+ [A-Z]\w*\.?\Z", maybe["name"])):
            head = maybe["rest"].split("\n", 1)[0]
            # The text may have grown by continuation lines since.
            entry["author"], entry["text"] = maybe["name"], head + entry["text"][len(maybe["head"]) :]


def normalise(text):
    return re.sub(r"\W+", " ", text.casefold()).strip()


def merge(entries, window):
    """Join entries that say the same within a short time."""
    result, recent = [], {}
    for entry in entries:
        key = normalise(entry["text"])
        twin = recent.get(key)
        if key and twin and (entry["time"] - twin["time"]).total_seconds() <= window and (entry["source"] not in twin["sources"] or entry["time"] == twin["time"]):
            for name in entry["sources"]:
                if name not in twin["sources"]:
                    twin["sources"].append(name)
            twin["author"] = twin["author"] or entry["author"]
            twin["tags"] = sorted({*twin["tags"], *entry["tags"]})
            continue
        recent[key] = entry
        result.append(entry)
    return result


def milestones(entries, warnings):
    """First or last tagged entry per milestone, and the durations between them."""
    found = {}
    for entry in entries:
        for tag in entry["tags"]:
            if tag in ("mitigated", "resolved"):
                found[tag] = entry["time"]
            elif tag in ("start", "detected", "acknowledged", "declared"):
                found.setdefault(tag, entry["time"])
    order = ["start", "detected", "acknowledged", "mitigated", "resolved"]
    known = [name for name in order if name in found]
    for a, b in zip(known, known[1:]):
        if found[b] < found[a]:
            warnings.append({"source": "tags", "line": 0, "message": f"#{b} is earlier than #{a}; check the tags"})
    durations = {}
    for name, a, b in (
        ("timeToDetect", "start", "detected"), ("timeToAcknowledge", "detected", "acknowledged"),
        ("timeToMitigate", "start", "mitigated"), ("timeToResolve", "start", "resolved"),
    ):  # fmt: skip
        if a in found and b in found:
            durations[name] = round((found[b] - found[a]).total_seconds() / 60, 1)
    return found, durations


def build(options):
    warnings, undated, entries, names = [], [], [], []
    for path in options.files:
        source = read_source(path, options)
        names.append({"source": source.label, "entries": len(source.entries)})
        entries += source.entries
        undated += source.undated
        warnings += source.warnings
        if not source.entries:
            warnings.append({"source": source.label, "line": 0, "message": "no timestamped entries found"})
    if not entries:
        raise UserError("no timestamped entries found in the input (see --help for the forms that are understood)")
    settle_authors(entries)
    for entry in entries:
        entry["tags"] = sorted({TAGS[m.lower()] for m in TAG.findall(entry["text"]) if m.lower() in TAGS})
        entry["text"] = printable(TAG.sub(lambda m: "" if m[1].lower() in TAGS else m[0], entry["text"])).strip()
    entries.sort(key=lambda entry: entry["time"])  # stable: file order within one instant
    total = len(entries)
    if not options.no_dedupe:
        entries = merge(entries, options.window)
    outside = 0
    if options.start or options.end:
        kept = [e for e in entries if (not options.start or e["time"] >= options.start) and (not options.end or e["time"] <= options.end)]
        outside, entries = len(entries) - len(kept), kept
        if not entries:
            raise UserError("no entries between --from and --to")

    secrets = {}
    for entry in entries:
        entry["author"] = printable(entry["author"], 60) if entry["author"] else None
        for name, pattern in SECRETS:
            if pattern.search(entry["text"]):
                secrets.setdefault(name, []).append({"source": entry["source"], "line": entry["line"]})
                if options.mask:
                    entry["text"] = pattern.sub(f"[{name} removed]", entry["text"])

    if options.mask:
        for item in undated:
            for name, pattern in SECRETS:
                item["text"] = pattern.sub(f"[{name} removed]", item["text"])

    marks, durations = milestones(entries, warnings)
    gaps = []
    for a, b in zip(entries, entries[1:]):
        minutes = (b["time"] - a["time"]).total_seconds() / 60
        if minutes >= options.gap:
            gaps.append({"from": a["time"], "to": b["time"], "minutes": round(minutes)})
    return {
        "zone": options.out_tz_name,
        "sources": names,
        "entriesRead": total,
        "merged": total - len(entries) - outside,
        "outsideWindow": outside,
        "first": entries[0]["time"],
        "last": entries[-1]["time"],
        "milestones": marks,
        "durationsMinutes": durations,
        "entries": entries,
        "gaps": gaps,
        "undated": undated,
        "warnings": warnings,
        "sensitive": {name: where for name, where in secrets.items()},
    }


# --------------------------------------------------------------------------- output


def duration_text(minutes):
    minutes = round(minutes)
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest:02d} min" if hours else f"{rest} min"


def cell(text):
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "<br>").replace("<script", "&lt;script") or "(no text)"


def render(result, options):
    out_tz = options.out_tz
    several_days = result["first"].astimezone(out_tz).date() != result["last"].astimezone(out_tz).date()

    def stamp(moment, precision="second"):
        local = moment.astimezone(out_tz)
        clock = local.strftime("%H:%M:%S" if precision == "second" else "%H:%M")
        return f"{local:%Y-%m-%d} {clock}" if several_days else clock

    origin = result["milestones"].get("start", result["first"])
    first = result["first"].astimezone(out_tz)
    out = ["# Timeline", ""]
    out.append(f"{first:%Y-%m-%d}, times in {result['zone']}. {len(result['entries'])} entries from {', '.join(s['source'] for s in result['sources'])}.")
    if result["durationsMinutes"]:
        label = {"timeToDetect": "to detect", "timeToAcknowledge": "to acknowledge", "timeToMitigate": "to mitigate", "timeToResolve": "to resolve"}
        out.append("Durations: " + ", ".join(f"{label[name]} {duration_text(value)}" for name, value in result["durationsMinutes"].items()) + ".")
    out += ["", "| Time | + | Source | Who | Event |", "|---|--:|---|---|---|"]
    gaps = {gap["from"]: gap for gap in result["gaps"]}
    for index, entry in enumerate(result["entries"]):
        minutes = (entry["time"] - origin).total_seconds() / 60
        mark = "".join(f" **[{tag}]**" for tag in entry["tags"])
        doubt = "~" if entry["dateAssumed"] else ""
        out.append(f"| {doubt}{stamp(entry['time'], entry['precision'])} | {minutes:+.0f} | {cell('+'.join(entry['sources']))} | {cell(entry['author'] or '-')} | {cell(entry['text'])}{mark} |")
        following = result["entries"][index + 1]["time"] if index + 1 < len(result["entries"]) else None
        gap = gaps.get(entry["time"])
        if gap and following == gap["to"]:
            out.append(f"| … | | | | *no notes for {duration_text(gap['minutes'])}* |")
    out.append("")
    notes = []
    if any(entry["dateAssumed"] for entry in result["entries"]):
        notes.append("~ marks times whose day or year was inferred.")
    if result["merged"]:
        notes.append(f"{result['merged']} entries said the same as another and were merged.")
    if result["outsideWindow"]:
        notes.append(f"{result['outsideWindow']} entries lie outside --from/--to.")
    missing = [tag for tag in ("start", "detected", "mitigated", "resolved") if tag not in result["milestones"]]
    if missing:
        notes.append("Not tagged yet: " + ", ".join(f"#{tag}" for tag in missing) + ". Add the tags to the notes to get durations.")
    for warning in result["warnings"]:
        place = f"{warning['source']}, line {warning['line']}" if warning["line"] else warning["source"]
        notes.append(f"{place}: {warning['message']}.")
    for name, where in result["sensitive"].items():
        places = ", ".join(f"{w['source']}:{w['line']}" for w in where[:5])
        notes.append(f"{'Removed' if options.mask else 'Check before sharing'}: {name} in {len(where)} entr{'y' if len(where) == 1 else 'ies'} ({places}){'' if options.mask else '; --mask removes them'}.")
    if result["undated"]:
        notes.append(f"{len(result['undated'])} lines carry no time and follow no entry:")
    if notes:
        out += ["## Check", ""] + [f"- {note}" for note in notes]
        out += [f"  - {u['source']}:{u['line']}: {u['text']}" for u in result["undated"][:10]]
        out.append("")
    return "\n".join(out)


def to_json(result, options):
    def convert(value):
        if isinstance(value, datetime):
            return value.astimezone(options.out_tz).isoformat()
        raise TypeError

    return json.dumps(result, indent=2, default=convert)


def moment_argument(text, options, name):
    source = Source(name, options.tz, options.date, options.date_order)
    found = find_time(text.strip(), source, 0)
    if not found or found[3]:
        raise UserError(f"{name}: '{printable(text, 40)}' is not a time such as 2025-03-09T10:00 or 10:00")
    return found[0]


def main():
    parser = argparse.ArgumentParser(
        prog="merge_timeline.py",
        description="Merge timestamped notes, chat copies and log excerpts into one sorted timeline.",
        epilog="Lines may begin with 2025-03-09 10:42, [10:42], 10:42 AM, Mar 9 10:42, or an epoch number; 'Alice  10:42 AM' starts a chat "
        "message; lines without a time continue the entry above. A file may begin with 'tz: Europe/Berlin', 'date: 2025-03-09', 'source: chat'. "
        "Tags such as #start #detected #ack #mitigated #resolved give durations. JSON arrays and JSON lines work, too. "
        "Exit status: 0 on success, 2 on any error.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="note files; '-' or nothing reads standard input")
    parser.add_argument("--date", metavar="YYYY-MM-DD", help="day for times that come without one")
    parser.add_argument("--tz", default="UTC", metavar="ZONE", help="zone of times without one (default: UTC)")
    parser.add_argument("--tz-for", action="append", default=[], metavar="FILE=ZONE", help="zone for one file (repeatable)")
    parser.add_argument("--out-tz", default="UTC", metavar="ZONE", help="zone of the output (default: UTC)")
    parser.add_argument("--date-order", choices=("dmy", "mdy"), help="how to read 03/09/2025")
    parser.add_argument("--from", dest="start", metavar="TIME", help="leave out earlier entries")
    parser.add_argument("--to", dest="end", metavar="TIME", help="leave out later entries")
    parser.add_argument("--gap", type=float, default=15, metavar="MIN", help="mark silences of at least this many minutes (default: 15)")
    parser.add_argument("--window", type=float, default=120, metavar="SEC", help="merge equal texts of different sources within this time (default: 120)")
    parser.add_argument("--no-dedupe", action="store_true", help="keep repeated entries")
    parser.add_argument("--mask", action="store_true", help="remove addresses, tokens and the like from the texts")
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    options = parser.parse_args()

    options.files = options.files or ["-"]
    if options.files.count("-") > 1:
        raise UserError("standard input can be read once only")
    if not options.gap > 0 or not options.window >= 0:
        raise UserError("--gap must be above 0, and --window 0 or more")
    if options.date:
        try:
            options.date = date.fromisoformat(options.date)
            if not 1990 <= options.date.year <= 2100:
                raise ValueError
        except ValueError:
            raise UserError(f"--date: '{printable(str(options.date), 40)}' is not a day written YYYY-MM-DD") from None
    options.tz = zone(options.tz)
    options.out_tz_name = options.out_tz
    options.out_tz = zone(options.out_tz)
    pairs = []
    for item in options.tz_for:
        name, equals, value = item.rpartition("=")
        if not equals or not name:
            raise UserError(f"--tz-for: '{printable(item, 60)}' should be FILE=ZONE")
        pairs.append((name, zone(value)))
    options.tz_for = pairs
    options.start = moment_argument(options.start, options, "--from") if options.start else None
    options.end = moment_argument(options.end, options, "--to") if options.end else None

    result = build(options)
    print(to_json(result, options) if options.json else render(result, options))
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
    except OSError as error:
        print(f"{SELF}: input or output failed: {error.strerror or error}", file=sys.stderr)
        sys.exit(2)
    except Exception as error:  # a defect in this script: say so in one line
        print(f"{SELF}: unexpected problem: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(2)
