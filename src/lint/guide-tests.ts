/** Tests of a style guide: documents, and the findings that are expected of each. */
import type { Document } from '../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatPointer, parsePointer } from '../kernel/pointer.ts'
import type { Finding, Severity } from './finding.ts'
import { readPattern } from './pattern.ts'
import { readSeverity } from './severity.ts'

/** A finding that a test expects; null for what it does not care about. */
export interface ExpectedFinding {
  readonly rule: string
  /** A JSON Pointer. */
  readonly pointer: string | null
  readonly severity: Severity | null
  /** The whole message, or a part of it where it is between slashes, as a regular expression. */
  readonly message: string | null
}

export interface GuideTest {
  readonly name: string
  /** The text of a document, or the name of a file that holds it. */
  readonly given: { readonly text: string } | { readonly file: string }
  /** What the document is called: rules may differ by the name of the file. */
  readonly source: string
  /** The rules that are looked at; null for all. */
  readonly rules: readonly string[] | null
  readonly then: readonly ExpectedFinding[]
  /** The line of the test in its file, from 1. */
  readonly line: number
}

/** A file of tests. */
export interface GuideTests {
  /** The guide that is tested, as `--guide` takes it; null where the file names none. */
  readonly guide: string | null
  readonly tests: readonly GuideTest[]
}

/** Something wrong with a file of tests, with its place: "tests.yaml:3:5: …". */
export class GuideTestFault extends Error {}

class Reader {
  private readonly document: Document

  constructor(document: Document) {
    this.document = document
  }

  refuse(reason: string, path: Path): never {
    const { line, character } = this.document.locate(path).start
    throw new GuideTestFault(`${this.document.source}:${line + 1}:${character + 1}: ${reason}`)
  }

  private known(value: JsonObject, keys: readonly string[], path: Path): void {
    const odd = Object.keys(value).find((key) => !keys.includes(key))
    if (odd !== undefined) this.refuse(`unknown property "${odd}"; use one of ${keys.join(', ')}`, [...path, odd])
  }

  private text(value: JsonObject, key: string, path: Path): string | null {
    const text = value[key]
    if (text === undefined) return null
    return typeof text === 'string' && text !== '' ? text : this.refuse(`"${key}" must be a string`, [...path, key])
  }

  private names(value: Json | undefined, path: Path): readonly string[] | null {
    if (value === undefined) return null
    if (typeof value === 'string') return [value]
    return Array.isArray(value) && value.every((it) => typeof it === 'string')
      ? value
      : this.refuse('"rules" must be an array of rules', path)
  }

  read(): GuideTests {
    const { value, problems } = this.document
    const fault = problems.find((it) => it.severity === 'error')
    if (fault !== undefined) {
      const { line, character } = fault.range.start
      throw new GuideTestFault(`${this.document.source}:${line + 1}:${character + 1}: ${fault.message}`)
    }
    if (!isObject(value)) return this.refuse('a test file must be an object with "tests"', [])
    this.known(value, ['guide', 'rules', 'tests'], [])
    const { tests } = value
    if (!Array.isArray(tests) || tests.length === 0) return this.refuse('"tests" must be an array of tests', ['tests'])
    const rules = this.names(value.rules, ['rules'])
    return {
      guide: this.text(value, 'guide', []),
      tests: (tests as readonly Json[]).map((it, index) => this.test(it, index, rules)),
    }
  }

  private test(value: Json, index: number, common: readonly string[] | null): GuideTest {
    const path = ['tests', index]
    if (!isObject(value)) return this.refuse('a test must be an object with "name", "given" and "then"', path)
    this.known(value, ['name', 'given', 'as', 'rules', 'then'], path)
    const given = this.given(value.given, [...path, 'given'])
    const named =
      'file' in given
        ? given.file
        : 'text' in given && given.text.trimStart().startsWith('{')
          ? 'given.json'
          : 'given.yaml'
    return {
      name: this.text(value, 'name', path) ?? this.refuse('the test has no "name"', path),
      given,
      source: this.text(value, 'as', path) ?? named,
      rules: this.names(value.rules, [...path, 'rules']) ?? common,
      then: this.expected(value.then, [...path, 'then']),
      line: this.document.locate(path).start.line + 1,
    }
  }

  private given(value: Json | undefined, path: Path): GuideTest['given'] {
    if (typeof value === 'string') return { text: value }
    if (isObject(value)) {
      const { file } = value
      if (Object.keys(value).length === 1 && typeof file === 'string') return { file }
      return { text: JSON.stringify(value, null, 2) }
    }
    return this.refuse('"given" must be a document: an object, a string, or { file: NAME }', path)
  }

  private expected(value: Json | undefined, path: Path): ExpectedFinding[] {
    if (value === 'nothing') return []
    if (!Array.isArray(value)) return this.refuse('"then" must be an array of findings; use [] for no findings', path)
    return (value as readonly Json[]).map((entry, index) => {
      const at = [...path, index]
      if (typeof entry === 'string') return { rule: entry, pointer: null, severity: null, message: null }
      if (!isObject(entry))
        return this.refuse('a finding must be { rule, path, severity, message } or the id of a rule', at)
      this.known(entry, ['rule', 'path', 'severity', 'message'], at)
      const severity = entry.severity === undefined ? null : readSeverity(entry.severity)
      if (severity === 'off' || (severity === null && entry.severity !== undefined))
        return this.refuse('"severity" must be error, warn, info or hint', [...at, 'severity'])
      return {
        rule: this.text(entry, 'rule', at) ?? this.refuse('the finding has no "rule"', at),
        pointer: this.pointer(entry.path, [...at, 'path']),
        severity,
        message: this.text(entry, 'message', at),
      }
    })
  }

  private pointer(value: Json | undefined, path: Path): string | null {
    if (value === undefined) return null
    if (Array.isArray(value)) return formatPointer(value.map((it) => (typeof it === 'number' ? it : String(it))))
    if (typeof value === 'string') {
      const text = value.startsWith('#') ? value.slice(1) : value
      if (text === '' || (text.startsWith('/') && parsePointer(text) !== null)) return text
    }
    return this.refuse('"path" must be a JSON Pointer such as "/info/title", or an array of keys', path)
  }
}

/**
 * Reads a file of tests.
 * @throws GuideTestFault with the place of the first thing that is wrong
 */
export const readGuideTests = (document: Document): GuideTests => new Reader(document).read()

/** What came of one test. */
export interface GuideTestOutcome {
  readonly test: GuideTest
  /** Expected, and not found. */
  readonly missing: readonly ExpectedFinding[]
  /** Found, and not expected. */
  readonly unexpected: readonly Finding[]
}

const says = (expected: string, message: string): boolean =>
  /^\/.+\/$/s.test(expected) ? readPattern(expected)?.test(message) === true : expected === message

const fits = (expected: ExpectedFinding, { code, pointer, severity, message }: Finding): boolean =>
  expected.rule === code &&
  (expected.pointer ?? pointer) === pointer &&
  (expected.severity ?? severity) === severity &&
  (expected.message === null || says(expected.message, message))

// How much of a finding is pinned down: the most exact expectation is met first.
const exactness = (it: ExpectedFinding): number =>
  [it.pointer, it.severity, it.message].filter((part) => part !== null).length

/** Compares what was found with what is expected, one for one. */
export function judgeGuideTest(test: GuideTest, findings: readonly Finding[]): GuideTestOutcome {
  const { rules } = test
  const left = findings.filter(({ code }) => rules === null || rules.includes(code))
  const missing = test.then
    .toSorted((a, b) => exactness(b) - exactness(a))
    .filter((expected) => {
      const at = left.findIndex((it) => fits(expected, it))
      if (at !== -1) left.splice(at, 1)
      return at === -1
    })
  return { test, missing, unexpected: left }
}
