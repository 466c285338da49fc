import type { Document, Format } from '../document/document.ts'
import { isObject, type Json, type Path } from '../document/json.ts'
import { findReferences, findUnresolved, followReference, type Documents } from '../document/reference.ts'
import { formatPointer, getPath } from '../document/pointer.ts'
import type { Finding, Severity } from './finding.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { RuleHits } from './grade.ts'
import { parsePath } from './jsonpath/path.ts'
import { PathWalk, type Match, type FollowReference } from './jsonpath/walk.ts'
import type { FormatName, Rule, Ruleset, Then } from './rule.ts'

/** What the rules found, and for each rule that applied how often it could have spoken. */
export interface LintResult {
  /** By line, column and code. */
  readonly findings: readonly Finding[]
  readonly rules: readonly RuleHits[]
}

export interface LintOptions {
  /** Other documents that references may lead to. */
  readonly documents?: Documents
}

const namesOf = (format: Format | null): readonly FormatName[] => {
  if (format === null) return []
  if (format.kind === 'swagger') return ['oas2']
  if (format.kind === 'openapi') return ['oas3', `oas3_${format.version.split('.')[1] ?? '0'}` as FormatName]
  if (format.kind === 'arazzo') return ['arazzo1_0']
  return [format.kind]
}

const applies = (rule: Rule, formats: readonly FormatName[]): boolean =>
  rule.formats === undefined || rule.formats.some((name) => formats.includes(name))

interface Prepared {
  readonly id: string
  readonly rule: Rule
  hits: number
  targets: number
}

/** The references of a document as a lookup by node: data that merely looks like a reference is not in it. */
function followerOf(document: Document, documents: Documents): FollowReference {
  const targets = new Map<object, { value: Json; path: Path }>()
  const known = new Map<string, ReturnType<typeof followReference>>()
  for (const reference of findReferences(document.value)) {
    const node = getPath(document.value, reference.path)
    const name = `${reference.base} ${reference.ref}`
    const target = known.get(name) ?? followReference(document, reference, documents)
    known.set(name, target)
    if (typeof node !== 'object' || node === null || typeof target === 'string' || target.document !== document)
      continue
    targets.set(node, { value: target.value, path: target.path })
  }
  return (node) => targets.get(node) ?? null
}

function inputsOf(then: Then, match: Match): { value: Json | undefined; path: Path }[] {
  const { field } = then
  if (field === undefined) return [{ value: match.value, path: match.path }]
  if (field === '@key')
    return isObject(match.value)
      ? Object.keys(match.value).map((key) => ({ value: key, path: [...match.path, key] }))
      : []
  const steps = isObject(match.value) && Object.hasOwn(match.value, field) ? [field] : field.split('.')
  let value: Json | undefined = match.value
  for (const step of steps)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string, Json>)[step]
        : undefined
  return [{ value, path: [...match.path, ...steps] }]
}

const printable = (value: Json | undefined): string =>
  typeof value === 'object' && value !== null ? 'Object{}' : String(value)

const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
  )

class Run {
  readonly #document: Document
  readonly #findings = new Map<string, Finding>()
  constructor(document: Document) {
    this.#document = document
  }

  /** Reports the problems of the text itself, and references that lead nowhere. */
  problems(documents: Documents): void {
    for (const { severity, message, path, range } of this.#document.problems)
      this.#add('parser', severity, message, path, range, null)
    for (const { severity, message, path, range } of findUnresolved(this.#document, documents))
      this.#add('invalid-ref', severity, message, path, range, null)
  }

  judge(prepared: Prepared, match: Match): void {
    const { rule, id } = prepared
    prepared.targets += 1
    let hit = false
    for (const then of rule.then) {
      for (const { value, path } of inputsOf(then, match)) {
        const context = { document: this.#document, root: this.#document.value, path, nodePath: match.path, rule: id }
        for (const complaint of then.run(value, then.options ?? null, context)) {
          hit = true
          this.#complain(prepared, complaint.message, complaint.path ?? path, value, complaint.path === undefined)
        }
      }
    }
    if (hit) prepared.hits += 1
  }

  #complain({ id, rule }: Prepared, error: string, at: Path, value: Json | undefined, own: boolean): void {
    // What is missing has no place of its own: the nearest node that is there stands for it.
    let path = at
    while (path.length > 0 && getPath(this.#document.value, path) === undefined) path = path.slice(0, -1)
    const property = String(at.at(-1) ?? '')
    const shown = own ? printable(value) : printable(getPath(this.#document.value, path))
    const message = fill(rule.message ?? rule.description, {
      error,
      description: rule.description,
      path: `#${formatPointer(path)}`,
      property,
      value: shown,
    })
    this.#add(id, rule.severity, message, path, this.#document.locate(path), rule.documentationUrl ?? null)
  }

  #add(
    code: string,
    severity: Severity,
    message: string,
    path: Path,
    range: Finding['range'],
    url: string | null,
  ): void {
    // One rule speaks once about one place, however many ways lead there.
    const key = `${code} ${range.start.line}:${range.start.character} ${range.end.line}:${range.end.character} ${message}`
    if (this.#findings.has(key)) return
    const { source } = this.#document
    this.#findings.set(key, {
      code,
      severity,
      message,
      path,
      pointer: formatPointer(path),
      source,
      range,
      fingerprint: fingerprintOf(code, source, path),
      documentationUrl: url,
      fix: null,
    })
  }

  sorted(): Finding[] {
    return [...this.#findings.values()].sort(
      (a, b) =>
        a.range.start.line - b.range.start.line ||
        a.range.start.character - b.range.start.character ||
        (a.code < b.code ? -1 : a.code > b.code ? 1 : 0),
    )
  }
}

function walkGroup(document: Document, group: readonly Prepared[], follow: FollowReference, run: Run): void {
  const owners: Prepared[] = []
  const paths = group.flatMap((prepared) =>
    prepared.rule.given.map((given) => {
      owners.push(prepared)
      return parsePath(given)
    }),
  )
  new PathWalk(paths).run(document.value, follow, (index, match) => {
    const owner = owners[index]
    if (owner) run.judge(owner, match)
  })
}

/**
 * Applies a ruleset to a document. Pure and deterministic; a document that cannot be read gives its problems as findings
 * of the code `parser`.
 */
export function lint(document: Document, ruleset: Ruleset, options: LintOptions = {}): LintResult {
  const run = new Run(document)
  run.problems(options.documents ?? {})
  const formats = namesOf(document.format)
  const prepared: Prepared[] = Object.entries(ruleset)
    .filter(([, rule]) => applies(rule, formats))
    .map(([id, rule]) => ({ id, rule, hits: 0, targets: 0 }))
  if (document.value !== null) {
    const resolved = prepared.filter(({ rule }) => rule.resolved !== false)
    const written = prepared.filter(({ rule }) => rule.resolved === false)
    if (resolved.length > 0) walkGroup(document, resolved, followerOf(document, options.documents ?? {}), run)
    if (written.length > 0) walkGroup(document, written, () => null, run)
  }
  const rules = prepared.map(({ id, rule, hits, targets }) => ({ code: id, severity: rule.severity, hits, targets }))
  return { findings: run.sorted(), rules }
}
