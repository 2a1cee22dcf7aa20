#!/usr/bin/env python3
"""Flag statements in SQL migrations that lock, lose data, or cannot be undone.

A lexer and a set of rules per database; it never connects anywhere. Findings are
prompts for a reviewer, not verdicts. Standard library only.
"""

import argparse
import json
import os
import re
import signal
import sys

SELF = "flag_risky_sql"
DIALECTS = ("postgres", "mysql", "sqlite", "sqlserver")
SEVERITIES = ("high", "medium", "low")
MAX_BYTES = 32 << 20


class UserError(Exception):
    """A problem to report in one line, without a traceback."""


# --------------------------------------------------------------------------- lexer

WORD = re.compile(r"[^\W\d][\w$#]*|@{1,2}[\w$#]+")
NUMBER = re.compile(r"\d[\w.]*")
DOLLAR = re.compile(r"\$(?:[^\W\d]\w*)?\$")
SPACE = re.compile(r"\s+")
STOPS = {(close, slash): re.compile("[" + re.escape(close) + (r"\\" if slash else "") + "]") for close in "'\"`]" for slash in (False, True)}


class Token:
    __slots__ = ("kind", "text", "line", "upper")

    def __init__(self, kind, text, line):
        self.kind = kind  # word, name (quoted), string, number, op, comment, body
        self.text = text
        self.line = line
        self.upper = text.upper() if kind == "word" else text


def tokenize(sql, dialect, problems):
    """Return tokens. Strings, comments and quoted names are single tokens."""
    tokens, i, line, size = [], 0, 1, len(sql)
    while i < size:
        char = sql[i]
        match = SPACE.match(sql, i)
        if match:
            # Keep line breaks visible for directives that must stand alone (GO, DELIMITER).
            line += match.group().count("\n")
            i = match.end()
            continue
        start, start_line = i, line
        if sql.startswith("--", i) or (char == "#" and dialect == "mysql"):
            end = sql.find("\n", i)
            end = size if end < 0 else end
            tokens.append(Token("comment", sql[i:end], line))
            i = end
            continue
        if sql.startswith("/*", i):
            if dialect == "mysql" and sql.startswith("/*!", i):
                # Executable comment: look inside.
                match = re.compile(r"/\*!\d*").match(sql, i)
                i = match.end()
                continue
            depth, j = 1, i + 2
            nested = dialect in ("postgres", "sqlserver")
            while j < size and depth:
                close = sql.find("*/", j)
                inner = sql.find("/*", j) if nested else -1
                if close < 0:
                    problems.append((start_line, "comment is never closed"))
                    j = size
                    break
                if 0 <= inner < close:
                    depth, j = depth + 1, inner + 2
                else:
                    depth, j = depth - 1, close + 2
            tokens.append(Token("comment", sql[start:j], start_line))
            line += sql.count("\n", start, j)
            i = j
            continue
        if sql.startswith("*/", i) and dialect == "mysql":
            i += 2
            continue
        if char == "$" and dialect == "postgres":
            match = DOLLAR.match(sql, i)
            if match:
                tag = match.group()
                end = sql.find(tag, match.end())
                if end < 0:
                    problems.append((start_line, f"{tag} is never closed"))
                    end = size
                stop = min(size, end + len(tag))
                tokens.append(Token("body", sql[match.end() : end], start_line))
                line += sql.count("\n", start, stop)
                i = stop
                continue
        if char in "'\"`" or (char == "[" and dialect in ("sqlserver", "sqlite") and re.match(r"\[[^\[\]\n]{1,256}\]", sql[i : i + 260])):
            close = "]" if char == "[" else char
            previous = tokens[-1] if tokens else None
            backslash = (char != "`" and dialect == "mysql") or (
                char == "'" and dialect == "postgres" and previous is not None and previous.kind == "word" and previous.upper == "E" and sql[start - 1 : start] in "eE"
            )
            j = i + 1
            while j < size:
                if backslash and sql[j] == "\\":
                    j += 2
                    continue
                if sql[j] == close:
                    if sql[j + 1 : j + 2] == close:
                        j += 2
                        continue
                    break
                # Jump to the next character that matters.
                match = STOPS[close, backslash].search(sql, j + 1)
                j = match.start() if match else size
            if j >= size:
                problems.append((start_line, f"quote {char} is never closed"))
                j = size - 1
            kind = "string" if char == "'" or (char == '"' and dialect == "mysql") else "name"
            tokens.append(Token(kind, sql[i + 1 : j].replace(close * 2, close), start_line))
            line += sql.count("\n", start, j + 1)
            i = j + 1
            continue
        match = WORD.match(sql, i)
        if match:
            tokens.append(Token("word", match.group(), line))
            i = match.end()
            continue
        match = NUMBER.match(sql, i)
        if match:
            tokens.append(Token("number", match.group(), line))
            i = match.end()
            continue
        tokens.append(Token("op", char, line))
        i += 1
    return tokens


# --------------------------------------------------------------------------- statements

DOWN_MARK = re.compile(r"^(?:--|#|/\*)\s*(?:\+goose\s+down|\+migrate\s+down|migrate:down|!downs|@?undo|@?down|rollback)\b", re.IGNORECASE)
UP_MARK = re.compile(r"^(?:--|#|/\*)\s*(?:\+goose\s+up|\+migrate\s+up|migrate:up|!ups|@?up)\b", re.IGNORECASE)
NO_TRANSACTION = re.compile(r"no\s*transaction|transaction:\s*false|notransaction|disable-ddl-transaction", re.IGNORECASE)
IGNORE = re.compile(r"review-ok:?\s*([\w, -]{1,200})", re.IGNORECASE)


class Statement:
    def __init__(self, tokens, section):
        self.tokens = [t for t in tokens if t.kind != "comment"]
        self.line = self.tokens[0].line
        self.section = section
        # Long statements (bulk inserts) are matched on their beginning only.
        self.words = " ".join(self._plain(t) for t in self.tokens[:6000])[:20000]
        self.has_where = any(t.kind == "word" and t.upper == "WHERE" for t in self.tokens)
        self.ignored = {}
        self.in_transaction = False

    @staticmethod
    def _plain(token):
        """One text form for matching: upper-case words, quoted things made harmless."""
        if token.kind == "word":
            return token.upper
        if token.kind == "name":
            return '"' + re.sub(r"[^\w$.-]", "_", token.text) + '"'
        if token.kind == "string":
            return "''"
        if token.kind == "body":
            return "$$"
        return token.text

    def has(self, pattern):
        return re.search(pattern, self.words)

    def find_line(self, pattern):
        """Line of the first token covered by the pattern."""
        match = re.search(pattern, self.words)
        if not match:
            return self.line
        at = 0
        for token in self.tokens:
            at += len(self._plain(token)) + 1
            if at > match.start():
                return token.line
        return self.line

    def text(self, limit=160):
        parts = []
        for token in self.tokens:
            if token.kind == "string":
                parts.append("'" + token.text + "'")
            elif token.kind == "body":
                parts.append("$$...$$")
            elif token.kind == "name":
                parts.append('"' + token.text + '"')
            else:
                parts.append(token.text)
            if sum(map(len, parts)) > limit * 2:
                break
        text = re.sub(r"\s+", " ", " ".join(parts))
        text = re.sub(r" ([,();.])", r"\1", text)
        text = re.sub(r"([(.]) ", r"\1", text)
        text = re.sub("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", "?", text)
        return text if len(text) <= limit else text[: limit - 1] + "…"


def starts_statement(token, tokens, i, current, head):
    """SQL Server needs no semicolons: does this word, first on its line, begin a statement?"""
    if token.upper not in ("ALTER", "CREATE", "DROP", "TRUNCATE", "EXEC", "EXECUTE", "UPDATE", "DELETE", "INSERT", "GRANT", "REVOKE", "BEGIN", "COMMIT", "ROLLBACK", "PRINT", "MERGE"):
        return False
    following = tokens[i + 1].upper if i + 1 < len(tokens) else ""
    if following in ("COLUMN", "CONSTRAINT", "DEFAULT", "SET") or "MERGE" in head:
        return False
    previous = current[-1]
    return not (previous.kind == "word" and previous.upper in ("ON", "FOR", "AFTER", "OF", "THEN", "ELSE", "AS", "WITH", "OR"))


def split_statements(tokens, dialect):
    statements, current, section, delimiter = [], [], "up", ";"
    file_flags = {"no_transaction": False}
    pending_ignores = {}
    depth = 0  # BEGIN ... END nesting inside routines
    brackets = 0
    head = []  # first words of the current statement
    i = 0
    previous_line = -1

    def finish():
        nonlocal current, pending_ignores, depth, brackets, head
        body = [t for t in current if t.kind != "comment"]
        if body:
            statement = Statement(current, section)
            statement.ignored = dict(pending_ignores)
            statements.append(statement)
            pending_ignores = {}
        current, depth, brackets, head = [], 0, 0, []

    while i < len(tokens):
        token = tokens[i]
        first_on_line = token.line != previous_line
        previous_line = token.line
        if token.kind == "comment":
            if DOWN_MARK.match(token.text):
                finish()
                section = "down"
            elif UP_MARK.match(token.text):
                finish()
                section = "up"
            if NO_TRANSACTION.search(token.text):
                file_flags["no_transaction"] = True
            match = IGNORE.search(token.text)
            if match:
                for rule in re.findall(r"[A-Z]{2}\d{2}|all", match[1]):
                    pending_ignores[rule] = token.text
                    # A comment after the statement's semicolon on the same line belongs to it.
                    if not current and statements and statements[-1].tokens[-1].line == token.line:
                        statements[-1].ignored[rule] = token.text
                        pending_ignores.pop(rule, None)
            i += 1
            continue
        if dialect == "mysql" and token.kind == "word" and token.upper == "DELIMITER" and first_on_line and not current:
            line = token.line
            text, i = "", i + 1
            while i < len(tokens) and tokens[i].line == line:
                text += tokens[i].text
                i += 1
            delimiter = text or ";"
            continue
        if dialect == "sqlserver" and token.kind == "word" and token.upper == "GO" and first_on_line:
            after = tokens[i + 1] if i + 1 < len(tokens) else None
            if after is None or after.line != token.line or after.kind in ("number", "comment"):
                finish()
                i += 2 if after is not None and after.line == token.line and after.kind == "number" else 1
                continue
        if delimiter != ";" and token.kind in ("op", "word") and token.text[0] == delimiter[0]:
            text, j = "", i
            while j < len(tokens) and len(text) < len(delimiter):
                text += tokens[j].text
                j += 1
            if text == delimiter:
                finish()
                i = j
                continue
        if token.kind == "word":
            routine = bool(head) and head[0] in ("CREATE", "ALTER") and any(w in head for w in ("PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PROC"))
            if dialect == "sqlserver" and current and first_on_line and not routine and brackets == 0 and starts_statement(token, tokens, i, current, head):
                finish()
                routine = False
            if len(head) < 8:
                head.append(token.upper)
            if routine and token.upper in ("BEGIN", "CASE"):
                depth += 1
            elif depth and token.upper == "END":
                following = tokens[i + 1].upper if i + 1 < len(tokens) and tokens[i + 1].kind == "word" else ""
                if following not in ("IF", "LOOP", "WHILE", "REPEAT"):
                    depth -= 1
        if token.kind == "op" and token.text == ";" and delimiter == ";" and depth == 0:
            finish()
            i += 1
            continue
        if token.kind == "op":
            brackets += (token.text == "(") - (token.text == ")")
        current.append(token)
        i += 1
    finish()
    return statements, file_flags


# --------------------------------------------------------------------------- rules

NAME = r'(?:"[^"]+"|[\w$#@]+)(?: \. (?:"[^"]+"|[\w$#@]+)){0,3}'


def normal_name(text):
    """Last part of a possibly qualified name, for comparing tables within a file."""
    last = re.split(r" \. ", text.strip())[-1]
    return last.strip('"').lower()


class Context:
    def __init__(self, dialect, version):
        self.dialect = dialect
        self.version = version
        self.created = set()
        self.timeout_set = False

    def at_least(self, *version):
        """True when the server version is unknown-new or at least the one given."""
        return self.version is None or self.version >= version


RULES = []


def rule(code, severity, dialects, title, advice):
    def wrap(function):
        RULES.append({"code": code, "severity": severity, "dialects": dialects, "title": title, "advice": advice, "test": function})
        return function

    return wrap


def table_of(statement):
    patterns = (
        rf"^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?({NAME})",
        rf"^DROP TABLE (?:IF EXISTS )?({NAME})",
        rf"^TRUNCATE (?:TABLE )?(?:ONLY )?({NAME})",
        rf"^DELETE FROM (?:ONLY )?({NAME})",
        rf"^DELETE (?:TOP \( .*? \) )?({NAME})",
        rf"^UPDATE (?:ONLY |LOW_PRIORITY |IGNORE |OR \w+ )?({NAME})",
        rf"^INSERT (?:IGNORE |OR \w+ )?INTO ({NAME})",
        rf"^LOCK TABLES? (?:ONLY )?({NAME})",
        rf"^CREATE (?:UNIQUE )?(?:CLUSTERED |NONCLUSTERED |FULLTEXT |SPATIAL )?INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?(?:{NAME} )?ON (?:ONLY )?({NAME})",
        rf"^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER .*? ON ({NAME})",
        rf"^(?:REINDEX|CLUSTER|VACUUM)(?: \( .*? \))?(?: FULL)?(?: TABLE)? ({NAME})",
        rf"^RENAME TABLE ({NAME})",
    )
    for pattern in patterns:
        match = statement.has(pattern)
        if match:
            return normal_name(match[1])
    return None


ALL = DIALECTS
PG, MY, LITE, MS = ("postgres",), ("mysql",), ("sqlite",), ("sqlserver",)

# ---- data loss


@rule("DL01", "high", ALL, "drops a table", "Stop all readers and writers in an earlier release, keep a backup or rename it first, and drop it in a later migration.")
def _(s, c):
    # In SQLite's rebuild procedure a copy takes the name of the dropped table.
    return s.has(r"^DROP TABLE\b") and not (c.dialect == "sqlite" and table_of(s) in c.renamed_to)


@rule("DL02", "high", ALL, "drops a column", "Release code that does not use the column first (ORMs list columns explicitly), then drop it in a later migration. The data cannot be brought back by a rollback.")
def _(s, c):
    if not s.has(r"^ALTER TABLE "):
        return None
    if s.has(r"\bDROP COLUMN\b"):
        return r"\bDROP COLUMN\b"
    if c.dialect in ("postgres", "mysql", "sqlite"):
        pattern = r"\bDROP (?!CONSTRAINT|INDEX|KEY|PRIMARY|FOREIGN|CHECK|DEFAULT|NOT|IDENTITY|EXPRESSION|PARTITION|COLUMN|IF|SYSTEM|PERIOD)(?:\"[^\"]+\"|\w+)"
        # Not "ALTER COLUMN x DROP DEFAULT" and the like.
        if s.has(pattern) and not s.has(r"\bALTER (?:COLUMN )?\S+ DROP (?:DEFAULT|NOT NULL|IDENTITY|EXPRESSION)"):
            return pattern
    return None


@rule("DL03", "high", ALL, "deletes or changes every row (no WHERE)", "Confirm this is meant. Large tables: work in batches outside the migration, with a way to stop and resume.")
def _(s, c):
    if s.has(r"^(?:WITH .* )?DELETE (?:FROM )?") and s.has(r"\bDELETE\b") and not s.has_where:
        return r"\bDELETE\b"
    if s.has(r"^UPDATE .* SET ") and not s.has_where:
        return r"^UPDATE"
    return None


@rule("DL04", "high", ALL, "empties a table", "TRUNCATE cannot be filtered, takes an exclusive lock, and in MySQL commits at once. Be sure that no foreign key cascades from here.")
def _(s, c):
    return s.has(r"^TRUNCATE\b")


@rule("DL05", "high", ALL, "drops a schema, database or everything that depends on an object", "List what CASCADE would remove and drop these objects one by one.")
def _(s, c):
    if s.has(r"^DROP (?:SCHEMA|DATABASE)\b"):
        return r"^DROP"
    if s.has(r"^(?:DROP|TRUNCATE|ALTER)\b") and s.has(r"\bCASCADE\b") and not s.has(r"\bON (?:DELETE|UPDATE) CASCADE\b"):
        return r"\bCASCADE\b"
    return None


@rule("DL06", "medium", ALL, "makes a column type narrower or different", "Check that every existing value fits; most engines rewrite the table and some cut values off silently.")
def _(s, c):
    if s.has(r"^ALTER TABLE ") and s.has(r"\bALTER (?:COLUMN )?\S+ (?:SET DATA )?TYPE\b"):
        return r"\bTYPE\b"
    if c.dialect == "mysql" and s.has(r"^ALTER TABLE .*\b(?:MODIFY|CHANGE)\b"):
        return r"\b(?:MODIFY|CHANGE)\b"
    if c.dialect == "sqlserver" and s.has(r"^ALTER TABLE .*\bALTER COLUMN\b") and not s.has(r"\bALTER COLUMN \S+ (?:ADD|DROP)\b"):
        return r"\bALTER COLUMN\b"
    return None


@rule("DL07", "medium", ALL, "declares ON DELETE CASCADE", "One delete can now remove rows in other tables. Confirm that this is the business rule, and that the referencing column has an index.")
def _(s, c):
    return s.has(r"\bON DELETE CASCADE\b")


@rule("DL08", "medium", ALL, "drops a constraint, trigger or default that protected data", "Say what protects the data afterwards, and whether bad rows written meanwhile would stop a rollback.")
def _(s, c):
    if s.has(r"^ALTER TABLE .*\bDROP (?:CONSTRAINT|CHECK|FOREIGN KEY|PRIMARY KEY)\b"):
        return r"\bDROP (?:CONSTRAINT|CHECK|FOREIGN|PRIMARY)\b"
    return s.has(r"^DROP TRIGGER\b")


# ---- compatibility with running code


@rule("CO01", "high", ALL, "renames a table or column", "Running instances still use the old name. Expand and contract: add the new one, write both, move readers, then drop the old one. A view can keep the old table name alive.")
def _(s, c):
    if table_of(s) in c.created:
        return None
    if s.has(r"^ALTER TABLE .*\bRENAME\b(?! (?:CONSTRAINT|INDEX|KEY))"):
        return r"\bRENAME\b"
    return s.has(r"^RENAME TABLE\b") or (c.dialect == "sqlserver" and s.has(r"\bSP_RENAME\b"))


@rule("CO02", "high", ALL, "adds a required column without a default", "Inserts from running code fail, and the statement fails if the table has rows. Add it nullable, release writers, backfill, then require it.")
def _(s, c):
    if not s.has(r"^ALTER TABLE .*\bADD\b"):
        return None
    for part in split_actions(s.words):
        if re.match(r"ADD (?!CONSTRAINT|INDEX|KEY|UNIQUE|PRIMARY|FOREIGN|CHECK|FULLTEXT|SPATIAL|PARTITION)", part):
            if re.search(r"\bNOT NULL\b", part) and not re.search(r"\bDEFAULT\b|\bGENERATED\b|\bIDENTITY\b|\bAUTO_INCREMENT\b|\b(?:SMALL|BIG)?SERIAL\b| AS \(", part):
                return r"\bNOT NULL\b"
    return None


@rule("CO03", "medium", ALL, "makes an existing column required", "Writers that still send NULL fail from now on. Release them first, check for NULLs, and see the database notes for doing it without a long lock.")
def _(s, c):
    if s.has(r"^ALTER TABLE ") and s.has(r"\bSET NOT NULL\b"):
        return r"\bSET NOT NULL\b"
    if c.dialect == "mysql" and s.has(r"\b(?:MODIFY|CHANGE)\b.*\bNOT NULL\b"):
        return r"\bNOT NULL\b"
    if c.dialect == "sqlserver" and s.has(r"\bALTER COLUMN\b.*\bNOT NULL\b"):
        return r"\bNOT NULL\b"
    return None


@rule("CO04", "medium", ALL, "grants or revokes rights", "Check that the running application's role keeps what it needs, and that PUBLIC is not meant.")
def _(s, c):
    return s.has(r"^(?:GRANT|REVOKE)\b")


@rule("CO05", "medium", PG, "changes an enum type", "Older releases may not know the new value. Before PostgreSQL 12, ADD VALUE cannot run in a transaction, and a new value cannot be used in the transaction that added it.")
def _(s, c):
    return s.has(r"^ALTER TYPE .*\b(?:ADD|RENAME) VALUE\b")


@rule("CO06", "low", ALL, "replaces a view, function or procedure", "Running code calls the new version at once. Check signatures and column lists of callers on the old release.")
def _(s, c):
    return s.has(r"^(?:CREATE OR (?:REPLACE|ALTER)|ALTER|DROP) (?:MATERIALIZED )?(?:VIEW|FUNCTION|PROCEDURE|PROC)\b")


# ---- locks: PostgreSQL


@rule("PG01", "high", PG, "builds an index while blocking writes", "Use CREATE INDEX CONCURRENTLY, outside a transaction, and check for an INVALID index afterwards.")
def _(s, c):
    return s.has(r"^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)")


@rule("PG02", "high", PG, "CONCURRENTLY inside a transaction", "It fails. Mark the migration as non-transactional in your tool and put it in a file of its own.")
def _(s, c):
    return s.in_transaction and s.has(r"^(?:CREATE|DROP|REINDEX)\b.*\bCONCURRENTLY\b")


@rule("PG03", "medium", PG, "CONCURRENTLY next to other statements", "Many tools run a file in one transaction, where it fails. Put it in a file of its own.")
def _(s, c):
    return c.several and not s.in_transaction and not c.no_transaction and s.has(r"^(?:CREATE|DROP|REINDEX)\b.*\bCONCURRENTLY\b")


@rule("PG04", "high", PG, "adds a foreign key or check that scans the table under lock", "Add it NOT VALID, then VALIDATE CONSTRAINT in a later transaction; that lock lets reads and writes through.")
def _(s, c):
    if s.has(r"^ALTER TABLE .*\bADD (?:CONSTRAINT \S+ )?(?:FOREIGN KEY|CHECK)\b") and not s.has(r"\bNOT VALID\b"):
        return r"\b(?:FOREIGN KEY|CHECK)\b"
    return None


@rule("PG05", "high", PG, "adds a unique or primary key that builds its index under an exclusive lock", "CREATE UNIQUE INDEX CONCURRENTLY first, then ADD CONSTRAINT ... USING INDEX.")
def _(s, c):
    if s.has(r"^ALTER TABLE .*\bADD (?:CONSTRAINT \S+ )?(?:UNIQUE|PRIMARY KEY)\b") and not s.has(r"\bUSING INDEX\b"):
        return r"\b(?:UNIQUE|PRIMARY KEY)\b"
    return None


@rule("PG06", "high", PG, "changes a column type, which usually rewrites the table under an exclusive lock", "Add a new column, copy in batches, swap. Widening varchar, and varchar to text, are free.")
def _(s, c):
    match = s.has(r"\bALTER (?:COLUMN )?\S+ (?:SET DATA )?TYPE (\w+)")
    if s.has(r"^ALTER TABLE ") and match and match[1] != "TEXT":
        return r"\bTYPE\b"
    return None


@rule("PG07", "high", PG, "adds a column whose default is computed per row, which rewrites the table", "Add the column without default, set the default for new rows, backfill in batches. Constant defaults are free since PostgreSQL 11.")
def _(s, c):
    if not s.has(r"^ALTER TABLE .*\bADD\b"):
        return None
    volatile = r"\b(?:RANDOM|GEN_RANDOM_UUID|UUID_GENERATE_V\w+|CLOCK_TIMESTAMP|TIMEOFDAY|NEXTVAL)\b"
    for part in split_actions(s.words):
        if not re.match(r"ADD\b", part):
            continue
        if re.search(r"\bDEFAULT\b.*" + volatile, part):
            return r"\bDEFAULT\b.*" + volatile
        if re.search(r"\bGENERATED ALWAYS AS \(.*\bSTORED\b|\bGENERATED (?:ALWAYS|BY DEFAULT) AS IDENTITY\b", part):
            return r"\bGENERATED\b"
        if re.search(r"\b(?:SMALL|BIG)?SERIAL\b", part):
            return r"\b(?:SMALL|BIG)?SERIAL\b"
        if re.search(r"\bDEFAULT\b", part) and not c.at_least(11):
            return r"\bDEFAULT\b"
    return None


@rule("PG08", "medium", PG, "SET NOT NULL scans the table under an exclusive lock", "First ADD CHECK (col IS NOT NULL) NOT VALID and VALIDATE it; from PostgreSQL 12 the scan is then skipped. Drop the check afterwards.")
def _(s, c):
    return r"\bSET NOT NULL\b" if s.has(r"^ALTER TABLE .*\bSET NOT NULL\b") else None


@rule("PG09", "high", PG, "rewrites or locks the whole table", "Run outside the migration, in a maintenance window, or use an online tool. REINDEX has CONCURRENTLY since 12.")
def _(s, c):
    return s.has(r"^VACUUM (?:\( .*\b)?FULL\b|^CLUSTER\b|^REINDEX (?!.*CONCURRENTLY)|^ALTER TABLE .*\bSET (?:UNLOGGED|LOGGED|TABLESPACE)\b|^LOCK\b")


@rule("PG10", "low", PG, "waits for locks without a limit", "SET lock_timeout (for example 2s) before it and retry: while it waits, every later query on the table waits behind it.")
def _(s, c):
    if c.timeout_set:
        return None
    return s.has(r"^(?:ALTER TABLE|DROP TABLE|DROP INDEX (?!CONCURRENTLY)|CREATE TRIGGER|TRUNCATE)\b")


@rule("PG11", "medium", PG, "refreshes a materialized view under an exclusive lock", "REFRESH MATERIALIZED VIEW CONCURRENTLY needs a unique index on the view, and lets readers through.")
def _(s, c):
    return s.has(r"^REFRESH MATERIALIZED VIEW (?!CONCURRENTLY)")


@rule("PG12", "medium", PG, "drops an index while blocking the table", "DROP INDEX CONCURRENTLY; and look at pg_stat_user_indexes on every replica before you call it unused.")
def _(s, c):
    return s.has(r"^DROP INDEX (?!CONCURRENTLY)")


@rule("PG13", "medium", PG, "attaches a partition, scanning it under lock", "Give the new partition a validated CHECK that implies its bounds, so that the scan is skipped. DETACH has CONCURRENTLY since 14.")
def _(s, c):
    return r"\b(?:ATTACH|DETACH) PARTITION\b" if s.has(r"\bATTACH PARTITION\b|\bDETACH PARTITION (?!.*CONCURRENTLY)") else None


# ---- locks: MySQL, MariaDB


@rule("MY01", "medium", MY, "alters a table without saying how", "Add ALGORITHM=INSTANT (or INPLACE, LOCK=NONE), so that the server refuses instead of copying the table. Otherwise use an online schema-change tool.")
def _(s, c):
    return r"^ALTER TABLE" if s.has(r"^ALTER TABLE\b") and not s.has(r"\bALGORITHM\b|\bLOCK =? ?(?:NONE|SHARED)") and not s.has(r"^ALTER TABLE \S+ (?:RENAME|COMMENT)") else None


@rule("MY02", "high", MY, "changes a column definition, which usually copies the table and blocks writes", "MODIFY and CHANGE must repeat the whole definition; missing parts (NOT NULL, DEFAULT, COMMENT) are lost. Use an online tool on large tables.")
def _(s, c):
    return r"\b(?:MODIFY|CHANGE)\b" if s.has(r"^ALTER TABLE .*\b(?:MODIFY|CHANGE)\b") else None


@rule("MY03", "high", MY, "converts the character set, which copies the table and may change lengths", "Index key limits and truncation can change. Test on a copy; use an online tool.")
def _(s, c):
    return r"\bCONVERT TO\b" if s.has(r"^ALTER TABLE .*\bCONVERT TO CHARACTER SET\b") else None


@rule("MY04", "medium", MY, "adds a foreign key, which copies or scans the table unless checks are off", "Schedule it; verify orphan rows first. Writes to the parent take locks from now on.")
def _(s, c):
    return r"\bFOREIGN KEY\b" if s.has(r"^ALTER TABLE .*\bADD (?:CONSTRAINT \S+ )?FOREIGN KEY\b") else None


@rule("MY05", "medium", MY, "DDL in a transaction", "MySQL commits before and after each DDL statement: a failure halfway leaves the first part applied. One DDL statement per migration.")
def _(s, c):
    return s.in_transaction and s.has(r"^(?:ALTER|CREATE|DROP|RENAME|TRUNCATE)\b")


@rule("MY06", "medium", MY, "several DDL statements in one file", "There is no transactional DDL: if the second fails, the first stays. One per migration, or make each safe to repeat.")
def _(s, c):
    return c.ddl_count > 1 and c.is_first_ddl(s) and s.has(r"^(?:ALTER|CREATE|DROP|RENAME)\b")


@rule("MY07", "high", MY, "turns off checks", "Rows that break the rule stay in the table unseen. Turn the checks back on and verify in the same migration.")
def _(s, c):
    return s.has(r"^SET .*\b(?:FOREIGN_KEY_CHECKS|UNIQUE_CHECKS) = (?:0|OFF|FALSE)")


@rule("MY08", "medium", MY, "builds a full-text or spatial index, which blocks writes", "Only one such build at a time, LOCK=SHARED at best. Schedule it.")
def _(s, c):
    return r"\b(?:FULLTEXT|SPATIAL)\b" if s.has(r"^(?:CREATE|ALTER TABLE .*\bADD) (?:FULLTEXT|SPATIAL)\b") else None


@rule("MY09", "high", MY, "changes the primary key, which rebuilds the table and all its indexes", "Use an online tool; dropping without adding in the same statement is much worse.")
def _(s, c):
    return r"\bPRIMARY KEY\b" if s.has(r"^ALTER TABLE .*\b(?:DROP|ADD) (?:CONSTRAINT \S+ )?PRIMARY KEY\b") else None


# ---- SQLite


@rule("LI01", "medium", LITE, "rebuilds a table by hand", "Follow the full order: foreign_keys=OFF outside the transaction, create, copy, drop, rename, recreate indexes, triggers and views, foreign_key_check, commit.")
def _(s, c):
    return r"\bRENAME TO\b" if s.has(r"^ALTER TABLE .*\bRENAME TO\b") and c.dropped_tables else None


@rule("LI02", "high", LITE, "changes the schema behind SQLite's back", "A mistake in writable_schema corrupts the file. Rebuild the table instead.")
def _(s, c):
    return s.has(r"^PRAGMA WRITABLE_SCHEMA\b")


@rule("LI03", "low", LITE, "changes foreign-key enforcement", "It has no effect inside a transaction, and holds per connection. Run PRAGMA foreign_key_check before commit.")
def _(s, c):
    return s.has(r"^PRAGMA FOREIGN_KEYS\b")


@rule("LI04", "medium", LITE, "VACUUM rewrites the whole file and cannot run in a transaction", "Needs free space of about twice the file and an exclusive lock. Run it apart from migrations.")
def _(s, c):
    return s.has(r"^VACUUM\b")


# ---- SQL Server


@rule("MS01", "high", MS, "builds an index offline, blocking the table", "WITH (ONLINE = ON) where the edition allows it, with WAIT_AT_LOW_PRIORITY; else schedule it.")
def _(s, c):
    return r"\bINDEX\b" if s.has(r"^(?:CREATE (?:UNIQUE )?(?:CLUSTERED |NONCLUSTERED )?INDEX|ALTER INDEX .*\bREBUILD)\b") and not s.has(r"\bONLINE = ON\b") else None


@rule("MS02", "high", MS, "changes a column, which may rewrite the table under a schema lock", "Widening variable-length types is free; most others are not. ALTER COLUMN WITH (ONLINE = ON) exists from 2016.")
def _(s, c):
    return r"\bALTER COLUMN\b" if s.has(r"^ALTER TABLE .*\bALTER COLUMN\b") and not s.has(r"\bONLINE = ON\b") else None


@rule("MS03", "medium", MS, "adds a constraint that scans the table", "WITH NOCHECK avoids the scan but leaves it untrusted; follow with WITH CHECK CHECK CONSTRAINT in a quiet time.")
def _(s, c):
    return r"\bADD\b" if s.has(r"^ALTER TABLE .*\bADD (?:CONSTRAINT \S+ )?(?:FOREIGN KEY|CHECK)\b") and not s.has(r"\bNOCHECK\b") else None


@rule("MS04", "medium", MS, "waits for schema locks without a limit", "SET LOCK_TIMEOUT before DDL; waiting schema locks block every later query.")
def _(s, c):
    return None if c.timeout_set else s.has(r"^(?:ALTER TABLE|DROP TABLE|DROP INDEX|TRUNCATE)\b")


@rule("MS05", "low", MS, "an error does not roll the batch back", "SET XACT_ABORT ON at the top; note that GO ends the batch but not the transaction.")
def _(s, c):
    return not c.xact_abort and c.is_first(s) and c.ddl_count > 0


# ---- data changes in migrations


@rule("DM01", "medium", ALL, "changes many rows inside a schema migration", "Keep backfills apart from DDL: batches of a few thousand rows by key range, short transactions, able to resume.")
def _(s, c):
    return c.ddl_count > 0 and s.has(r"^(?:WITH .* )?(?:UPDATE|DELETE)\b|^INSERT INTO .* SELECT\b")


@rule("DM02", "low", MY, "cannot be repeated after a failure halfway", "IF NOT EXISTS lets the migration run again (it also hides drift: compare the definition when it already exists).")
def _(s, c):
    return c.ddl_count > 1 and not s.has(r"\bIF NOT EXISTS\b") and s.has(r"^CREATE TABLE\b")


def split_actions(words):
    """Split ALTER TABLE into its comma-separated actions, at depth zero."""
    match = re.match(rf"^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?{NAME} ", words)
    if not match:
        return []
    parts, depth, current = [], 0, []
    for token in words[match.end() :].split(" "):
        if token == "(":
            depth += 1
        elif token == ")":
            depth = max(0, depth - 1)
        if token == "," and depth == 0:
            parts.append(" ".join(current))
            current = []
        else:
            current.append(token)
    parts.append(" ".join(current))
    # "ADD COLUMN a int, b int" (SQL Server, MySQL with brackets) inherits ADD.
    result, last = [], ""
    for part in parts:
        if not re.match(r"(?:ADD|DROP|ALTER|MODIFY|CHANGE|RENAME|SET|RESET|VALIDATE|ENABLE|DISABLE|OWNER|CONVERT|ALGORITHM|LOCK|ENGINE|COMMENT|ATTACH|DETACH|WITH)\b", part) and last.startswith("ADD"):
            part = "ADD " + part
        result.append(re.sub(r"^ADD (?:COLUMN )?(?:IF NOT EXISTS )?", "ADD ", part))
        last = part
    return result


EXEMPT_ON_NEW_TABLE = {
    "PG01", "PG04", "PG05", "PG06", "PG07", "PG08", "PG10", "MY01", "MY02", "MY03", "MY04", "MY08", "MY09",
    "MS01", "MS02", "MS03", "MS04", "CO02", "CO03", "DL03", "DL06", "DM01",
}  # fmt: skip


# --------------------------------------------------------------------------- dialect guess


def guess_dialect(sql):
    score = dict.fromkeys(DIALECTS, 0)
    hints = {
        "postgres": r"\bCONCURRENTLY\b|\bBIGSERIAL\b|\bSERIAL\b|\bJSONB\b|\bTIMESTAMPTZ\b|\$\$|::\w|\bNOT VALID\b|\bplpgsql\b|\bUSING gin\b|\bBYTEA\b|\bCREATE EXTENSION\b|\bON ONLY\b|\block_timeout\b|\bALTER TYPE\b|\bSET NOT NULL\b|\bALTER COLUMN \S+ TYPE\b",
        "mysql": r"`\w+`|\bENGINE\s*=|\bAUTO_INCREMENT\b|\bALGORITHM\s*=|\bUNSIGNED\b|\bDELIMITER\b|\bMODIFY\b|\bLONGTEXT\b|\bTINYINT\(1\)|\bFOREIGN_KEY_CHECKS\b|\bCHARSET\b",
        "sqlite": r"\bAUTOINCREMENT\b|\bPRAGMA\b|\bWITHOUT ROWID\b|\bINSERT OR (?:REPLACE|IGNORE)\b|\bsqlite_\w+\b",
        "sqlserver": r"(?m)^\s*GO\s*$|\bNVARCHAR\b|\bDATETIME2\b|\bIDENTITY\s*\(|\[dbo\]|\bdbo\.|\bsp_rename\b|\bUNIQUEIDENTIFIER\b|\bNONCLUSTERED\b|\bXACT_ABORT\b|\bSYSUTCDATETIME\b",
    }
    sample = sql[: 1 << 20]
    for name, pattern in hints.items():
        score[name] = len(re.findall(pattern, sample, re.IGNORECASE))
    best = max(score, key=lambda name: score[name])
    return best if score[best] else None


# --------------------------------------------------------------------------- review


def review(name, sql, options):
    problems = []
    guessed = None
    dialect = options.dialect
    if dialect == "auto":
        guessed = guess_dialect(sql)
        dialect = guessed or "postgres"
    tokens = tokenize(sql, dialect, problems)
    statements, flags = split_statements(tokens, dialect)
    stem = os.path.basename(name).lower()
    is_down_file = bool(re.search(r"(?:\.|_|-)(?:down|undo|rollback)\.sql$|^u\d", stem))
    if is_down_file:
        for statement in statements:
            statement.section = "down"

    context = Context(dialect, options.version)
    ups = [s for s in statements if s.section == "up"]
    reviewed = statements if is_down_file else ups
    in_transaction = False
    for statement in reviewed:
        if statement.has(r"^(?:BEGIN|START TRANSACTION)(?: (?:TRANSACTION|TRAN|WORK|IMMEDIATE|EXCLUSIVE|DEFERRED|ISOLATION|READ|;).*)?$"):
            in_transaction = True
        elif statement.has(r"^(?:COMMIT|END|ROLLBACK)\b"):
            in_transaction = False
        statement.in_transaction = in_transaction
    ddl = [s for s in reviewed if s.has(r"^(?:CREATE|ALTER|DROP|RENAME|TRUNCATE)\b")]
    plain = [s for s in reviewed if not s.has(r"^(?:BEGIN|START|COMMIT|END|ROLLBACK|SET|SELECT|PRAGMA|USE)\b")]
    context.ddl_count = len(ddl)
    context.several = len(plain) > 1
    context.no_transaction = flags["no_transaction"]
    context.is_first_ddl = lambda s: bool(ddl) and s is ddl[0]
    context.is_first = lambda s: bool(reviewed) and s is reviewed[0]
    context.dropped_tables = any(s.has(r"^DROP TABLE\b") for s in reviewed)
    renames = (s.has(rf"^ALTER TABLE .*\bRENAME TO ({NAME})") for s in reviewed)
    context.renamed_to = {normal_name(match[1]) for match in renames if match}
    context.xact_abort = any(s.has(r"\bXACT_ABORT ON\b") for s in reviewed)

    findings, suppressed = [], []
    for statement in reviewed:
        if statement.has(r"^SET (?:LOCAL |SESSION )?(?:LOCK_TIMEOUT|STATEMENT_TIMEOUT|INNODB_LOCK_WAIT_TIMEOUT|LOCK_WAIT_TIMEOUT)\b") or statement.has(r"\bSET_CONFIG \( ''"):
            context.timeout_set = True
        match = statement.has(rf"^CREATE (?:(?:GLOBAL |LOCAL )?(?:TEMP|TEMPORARY|UNLOGGED) )?TABLE (?:IF NOT EXISTS )?({NAME})")
        if match:
            context.created.add(normal_name(match[1]))
        table = table_of(statement)
        for item in RULES:
            if dialect not in item["dialects"]:
                continue
            if table in context.created and (item["code"] in EXEMPT_ON_NEW_TABLE or item["code"] in ("DL01", "DL04")):
                continue
            if item["code"] == "DL06" and any(f["line_of"] == statement.line and f["rule"] in ("PG06", "MY02", "MS02") for f in findings):
                continue
            hit = item["test"](statement, context)
            if not hit:
                continue
            line = statement.find_line(hit) if isinstance(hit, str) else statement.line
            finding = {
                "file": name,
                "line": line,
                "line_of": statement.line,
                "rule": item["code"],
                "severity": item["severity"],
                "title": item["title"],
                "advice": item["advice"],
                "table": table,
                "section": statement.section,
                "statement": statement.text(),
            }
            reason = statement.ignored.get(item["code"]) or statement.ignored.get("all")
            if reason:
                finding["acceptedBy"] = re.sub(r"\s+", " ", re.sub("[\x00-\x1f\x7f-\x9f]", " ", reason))[:200]
                suppressed.append(finding)
            else:
                findings.append(finding)
    # PG06/MY02/MS02 say more than DL06 about the same statement.
    strong = {f["line_of"] for f in findings if f["rule"] in ("PG06", "MY02", "MS02")}
    findings = [f for f in findings if not (f["rule"] == "DL06" and f["line_of"] in strong)]

    has_down = is_down_file or any(s.section == "down" for s in statements)
    notes = []
    if options.dialect == "auto":
        notes.append(f"database guessed as {dialect}" if guessed else "database could not be guessed; read as postgres (use --dialect)")
    for line, message in problems:
        notes.append(f"line {line}: {message}; results after it are unreliable")
    if not statements:
        notes.append("no SQL statements found")
    elif not has_down:
        notes.append("no down section found: state how this is undone, or why it need not be")
    destructive = [f for f in findings + suppressed if f["rule"] in ("DL01", "DL02", "DL03", "DL04", "DL05") and f["section"] == "up"]
    if destructive and has_down and not is_down_file:
        notes.append("the down section cannot bring back data removed here; rollback means restoring from a backup")
    dynamic = [s.line for s in reviewed if s.has(r"^(?:EXECUTE|EXEC|PREPARE)\b") or any(t.kind == "body" for t in s.tokens)]
    if dynamic:
        notes.append(f"code the script does not look into (DO blocks, functions, dynamic SQL) at line {', '.join(map(str, dynamic[:8]))}")
    for finding in findings + suppressed:
        del finding["line_of"]
    order = {severity: i for i, severity in enumerate(SEVERITIES)}
    findings.sort(key=lambda f: (order[f["severity"]], f["line"], f["rule"]))
    return {"file": name, "dialect": dialect, "statements": len(statements), "hasDown": has_down, "findings": findings, "accepted": suppressed, "notes": notes}


def read_input(path):
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            if os.path.isdir(path):
                raise UserError(f"{path} is a directory; name the migration files, or use --recursive")
            with open(path, "rb") as handle:
                data = handle.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    label = "standard input" if path == "-" else path
    if len(data) > MAX_BYTES:
        raise UserError(f"{label} is larger than {MAX_BYTES >> 20} MB; a migration that size holds data, not only schema")
    for mark, codec in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(codec, "replace").lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    control = sum(data.count(bytes([c])) for c in range(32) if c not in (9, 10, 12, 13))
    if control > len(data) // 50:
        raise UserError(f"{label} looks like binary data, not SQL")
    return data.decode("utf-8", "replace").replace("\0", " ").replace("\r\n", "\n").replace("\r", "\n")


def expand(paths, recursive):
    result = []
    for path in paths:
        if path != "-" and recursive and os.path.isdir(path):
            for base, dirs, files in os.walk(path):
                dirs[:] = sorted(d for d in dirs if not d.startswith(".") and d != "node_modules")
                result += [os.path.join(base, f) for f in sorted(files) if f.lower().endswith(".sql")]
        else:
            result.append(path)
    if recursive and not result:
        raise UserError("no .sql files found")
    return result


def render(results, options):
    out = []
    for result in results:
        out.append(f"# {result['file']} ({result['dialect']}, {result['statements']} statements)")
        out.append("")
        explained = set()
        for finding in result["findings"]:
            where = " in the down section" if finding["section"] == "down" else ""
            out.append(f"{finding['severity'].upper():6} line {finding['line']} {finding['rule']}: {finding['title']}{where}")
            out.append(f"       {finding['statement']}")
            if finding["rule"] not in explained:
                out.append(f"       -> {finding['advice']}")
                explained.add(finding["rule"])
        if not result["findings"]:
            out.append("No findings.")
        for finding in result["accepted"]:
            out.append(f"ACCEPTED line {finding['line']} {finding['rule']}: {finding['title']} ({finding['acceptedBy']})")
        for note in result["notes"]:
            out.append(f"Note: {note}")
        out.append("")
    counts = {severity: sum(f["severity"] == severity for r in results for f in r["findings"]) for severity in SEVERITIES}
    out.append(f"{len(results)} file(s): {counts['high']} high, {counts['medium']} medium, {counts['low']} low.")
    return "\n".join(out)


def parse_version(text):
    match = re.match(r"\d{1,4}(?:\.\d{1,4}){0,3}\Z", text)
    if not match:
        raise argparse.ArgumentTypeError("should look like 15 or 8.0.36")
    return tuple(int(part) for part in text.split("."))


def main():
    parser = argparse.ArgumentParser(
        prog="flag_risky_sql.py",
        description="Flag statements in SQL migrations that may lock tables, lose data or break running code.",
        epilog="Accept a finding with a comment before the statement: -- review-ok: DL02 column unused since v4.2. "
        "Exit status: 0 nothing at or above --fail-on, 1 findings, 2 wrong usage or unreadable input.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="migration files; '-' or nothing reads standard input")
    parser.add_argument("--dialect", choices=("auto",) + DIALECTS, default="auto", help="database (default: guess per file)")
    parser.add_argument("--server-version", dest="version", type=parse_version, metavar="V", help="server version, e.g. 10 or 8.0 (default: a current one)")
    parser.add_argument("--recursive", action="store_true", help="take all .sql files below the folders given")
    parser.add_argument("--min-severity", choices=SEVERITIES, default="low", help="show findings from this severity (default: low)")
    parser.add_argument("--fail-on", choices=SEVERITIES + ("never",), default="high", help="exit 1 at this severity or above (default: high)")
    parser.add_argument("--list-rules", action="store_true", help="print all rules and stop")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    options = parser.parse_args()

    if options.list_rules:
        rules = [{k: r[k] for k in ("code", "severity", "dialects", "title", "advice")} for r in RULES]
        if options.json:
            print(json.dumps(rules, indent=2))
        else:
            for item in rules:
                scope = "all" if item["dialects"] == ALL else ",".join(item["dialects"])
                print(f"{item['code']} {item['severity']:6} {scope:9} {item['title']}")
        return 0

    paths = expand(options.files or ["-"], options.recursive)
    if paths.count("-") > 1:
        raise UserError("standard input can be read once only")
    results = [review("stdin" if path == "-" else path, read_input(path), options) for path in paths]
    worst = [f["severity"] for r in results for f in r["findings"]]
    shown = SEVERITIES[: SEVERITIES.index(options.min_severity) + 1]
    for result in results:
        result["findings"] = [f for f in result["findings"] if f["severity"] in shown]
    if options.json:
        print(json.dumps({"files": results}, indent=2))
    else:
        print(render(results, options))
    if options.fail_on != "never":
        limit = SEVERITIES.index(options.fail_on)
        if any(SEVERITIES.index(severity) <= limit for severity in worst):
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
    except OSError as error:
        print(f"{SELF}: input or output failed: {error.strerror or error}", file=sys.stderr)
        sys.exit(2)
    except Exception as error:  # a defect in this script: say so in one line
        print(f"{SELF}: unexpected problem: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(2)
