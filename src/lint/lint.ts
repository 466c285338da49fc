import type { Document } from '../document/document.ts'
import type { Json, Path } from '../kernel/json.ts'
import { formatPointer, getPath } from '../kernel/pointer.ts'
import type { Documents } from '../document/reference.ts'
import { writtenReferences } from '../document/written-references.ts'
import type { Beside } from '../mcp-catalogue/beside.ts'
import { brokenReferences } from './broken-references.ts'
import { CheckBudget } from './check-budget.ts'
import { severities, type Finding, type Severity } from './finding.ts'
import { fingerprintOf } from './fingerprint.ts'
import { findsNothingIn } from './foresight.ts'
import { formatsOf, formatTitle, isOfSpectral, type FormatName } from './formats.ts'
import { hitsOf, type RuleHits } from './grade.ts'
import type { Fix } from './fix/fix.ts'
import { Graph, withItself, type LocatedNode } from './graph.ts'
import { inputsOf } from './inputs.ts'
import { placeOf, rootNode, wayOf, type Node } from './jsonpath/walk.ts'
import { defaultGuideOptions, type GuideOptions } from './ruleset.ts'
import { fillMessage, linkFor, printPath, printPointer, shorten } from './message.ts'
import { appliesTo, planFor, type Plan } from './plan.ts'
import { NodeContext } from './node-context.ts'
import { byPlace } from './order.ts'
import { isBehindReference, referrerOf } from './referrer.ts'
import type { Violation, Rule, Ruleset, Verdict } from './rule.ts'
import { severityAt } from './severity-at.ts'
import { readRef } from '../kernel/type-ref.ts'

/** The findings, and the number of checked nodes for each rule that applied. */
export interface LintResult {
  /** By source, line, column and code. */
  readonly findings: readonly Finding[]
  /** What the grade is made of: the rules that applied, and `parser`, `invalid-ref` and the like if they found something. */
  readonly rules: readonly RuleHits[]
  /** The rules that would have applied and cannot run, with the reason. */
  readonly skipped: readonly SkippedRule[]
  /** With `within`: the rules that look at something above it, of which nothing is known. */
  readonly passed: ReadonlySet<string>
}

export interface SkippedRule {
  readonly code: string
  readonly reason: string
}

export interface LintOptions {
  /** Other documents that references may lead to. */
  readonly documents?: Documents
  /** Registered types, by the references to them; what is wrong in them is not reported. */
  readonly types?: Documents
  /** Whether `documents` has every registered type that there is: a reference to another one finds nothing. */
  readonly knowsTypes?: boolean
  /** Include fixes in the findings, if their rule has one. */
  readonly fixes?: boolean
  /** What a guide says beside its rules. */
  readonly guide?: GuideOptions
  readonly pace?: Pace
  /** What is known of an MCP server beside its document. */
  readonly beside?: Beside | null
  /** Only what rules find in this part of the document by looking at it: no problems of the text, no references that are broken. */
  readonly within?: Path
}

/** Called often while rules are applied, with those that are at work; it may throw to stop the whole. */
export type Pace = (rules: () => readonly string[]) => void

interface Applied {
  readonly id: string
  readonly rule: Rule
  readonly severity: Severity
  /** The worst severity of its findings: rulesets may set others for places. */
  worst: Severity | null
  hits: number
  targets: number
  /** Its functions would find nothing in these documents: its targets are only counted. */
  readonly quiet: boolean
}

const tooManyWays =
  'references lead to its places on more ways than svc follows; findings on some of them may be missing'

class Run {
  readonly document: Document
  readonly entry: Json
  readonly documents: Documents
  readonly formats: ReadonlySet<FormatName>
  readonly budget = new CheckBudget()
  readonly beside: Beside | null
  private readonly graph: Graph
  private readonly findings = new Map<string, Finding>()
  /** How many findings of one rule there are at one place, by fingerprint. */
  private readonly alike = new Map<string, number>()
  private readonly fixes: boolean
  private readonly guide: GuideOptions
  private readonly pace: Pace | null
  private readonly within: Path
  readonly passed = new Set<string>()
  /** The rules that were not applied on every way. */
  readonly incomplete = new Set<string>()
  private readonly types: ReadonlySet<Document>
  private readonly knowsTypes: boolean
  readonly ruleset: Ruleset
  /** Answers that are to come, by the rule. */
  private readonly open: { readonly id: string; readonly answer: Promise<void> }[] = []

  constructor(document: Document, ruleset: Ruleset, options: LintOptions) {
    const { types = {} } = options
    this.within = options.within ?? []
    this.fixes = options.fixes ?? false
    this.knowsTypes = options.knowsTypes ?? false
    this.guide = options.guide ?? defaultGuideOptions
    this.pace = options.pace ?? null
    this.beside = options.beside ?? null
    this.document = document
    this.ruleset = ruleset
    this.entry = document.value
    this.documents = withItself(document, { ...options.documents, ...types })
    this.types = new Set(Object.values(types))
    this.graph = new Graph(this.documents)
    this.formats = formatsOf(document)
  }

  /** Reports the problems of the text itself, and references that cannot be resolved. */
  reportProblems(): void {
    const { guide, document, documents } = this
    // What a registered type says is checked where it is registered.
    const others = new Set(Object.values(documents).filter((it) => !this.isType(it)))
    others.delete(document)
    for (const it of [document, ...others]) this.reportText(it)
    if (guide.incompatibleValues !== 'off')
      for (const { type, path, range } of document.nonStringKeys()) {
        const told = `Mapping key must be a string scalar rather than ${type}`
        this.add('parser', guide.incompatibleValues, told, document, path, range, null)
      }
    if (guide.formats.length > 0 && !guide.formats.some((it) => this.formats.has(it as FormatName))) {
      const titles = guide.formats.filter(isOfSpectral).map(formatTitle).join(', ')
      const told = `The provided document does not match any of the registered formats [${titles}]`
      this.add('unrecognized-format', 'warning', told, document, [], null, null)
    }
    for (const it of [document, ...others])
      for (const { message, path } of brokenReferences(it, documents, {
        everywhere: guide.checksEveryReference,
        types: this.knowsTypes,
      }))
        this.add('invalid-ref', 'error', message, it, path, null, null)
  }

  /** How often each kind of problem was reported so far, as the grade counts it. Call it before rules are applied. */
  ownHits(): RuleHits[] {
    const written = (): number =>
      [...new Set([this.document, ...Object.values(this.documents)])]
        .map(({ value }) => (typeof value === 'object' && value !== null ? writtenReferences(value).size : 0))
        .reduce((sum, it) => sum + it, 0)
    return [...Map.groupBy(this.findings.values(), ({ code, severity }) => `${code} ${severity}`).values()].map(
      (its) => {
        const { code, severity } = its[0] as Finding
        const targets = code === 'invalid-ref' ? Math.max(its.length, written()) : its.length
        return { code, severity, hits: its.length, targets }
      },
    )
  }

  private isType(document: Document): boolean {
    return this.types.has(document) || readRef(document.source) !== null
  }

  private reportText(document: Document): void {
    const { duplicateKeys } = this.guide
    for (const { code, severity, message, path, range } of document.problems)
      if (code !== 'duplicate-key') this.add('parser', severity, message, document, path, range, null)
      else if (duplicateKeys !== 'off')
        this.add('parser', duplicateKeys, `Duplicate key: ${String(path.at(-1))}`, document, path, range, null)
  }

  /** Applies rules of one kind: those that look through references, or those that do not; custom functions see each way. */
  apply(
    applied: readonly Applied[],
    { owners, paths, upward, anywhere }: Plan,
    { resolved, custom }: { readonly resolved: boolean; readonly custom: boolean },
  ): void {
    if (owners.length === 0) return
    const byId = new Map(applied.map((it) => [it.id, it]))
    const ruleOf = owners.map((id) => byId.get(id) as Applied)
    const parents = new Set<string>()
    const { pace } = this
    paths.walk(
      rootNode(this.document.value, this.document),
      resolved ? this.graph.follow : null,
      (index, node, keys) => {
        // Several children may have one parent: check it once.
        if (upward[index] === true) {
          const key = `${index} ${formatPointer(custom ? wayOf(node) : placeOf(node))}`
          if (parents.has(key)) return
          parents.add(key)
        }
        this.judge(ruleOf[index] as Applied, node, keys, anywhere[index] === true)
      },
      {
        targets: resolved ? this.graph.targetsIn(this.document) : null,
        onVisit: pace && ((indexes) => pace(() => [...new Set(indexes().map((it) => owners[it] as string))])),
        within: this.within,
        everyWay: custom && resolved,
        onExhausted: () => owners.forEach((id) => this.incomplete.add(id)),
        onPassed: (index) => void this.passed.add(owners[index] as string),
      },
    )
  }

  private judge(applied: Applied, node: Node, keys: boolean, anywhere: boolean): void {
    applied.targets += 1
    const { rule, quiet } = applied
    if (quiet) return
    this.pace?.(() => [applied.id])
    const value = keys ? node.key : node.value
    const resolved = rule.resolved !== false
    let hit = false
    const take = (verdict: Verdict, at: Path): void => {
      for (const violation of verdict ?? [])
        if (this.complain(applied, violation, node, at, { resolved, anywhere }) && !hit) {
          hit = true
          applied.hits += 1
        }
    }
    for (const then of rule.then)
      for (const input of inputsOf(then, value, node, resolved ? this.graph : null)) {
        const context = new NodeContext(node, input.steps, applied.id, this, resolved ? this.graph : null)
        const answer = then.run(input.value, then.options ?? {}, context)
        if (answer instanceof Promise)
          this.open.push({ id: applied.id, answer: answer.then((verdict) => take(verdict, context.path)) })
        else take(answer, context.path)
      }
  }

  /** Waits for answers that are to come; afterwards nothing is open. */
  async settle(): Promise<void> {
    for (let next = this.open.pop(); next !== undefined; next = this.open.pop()) await next.answer
  }

  /** The rules with functions that have not answered yet. */
  waiting(): ReadonlySet<string> {
    return new Set(this.open.map(({ id }) => id))
  }

  private complain(
    applied: Applied,
    violation: Violation,
    node: Node,
    own: Path,
    { resolved, anywhere }: { readonly resolved: boolean; readonly anywhere: boolean },
  ): boolean {
    const { id, rule } = applied
    const at = violation.path ?? own
    const foreign = violation.document
    const referrer = resolved && foreign === undefined ? referrerOf(node, at, this.document) : null
    const jumped =
      resolved && !anywhere && foreign === undefined && isBehindReference(referrer === null ? node : node.up)
    const place = this.graph.place(foreign ?? node.document, at, { resolved, referrer, jumped })
    const { path, wanted } = place
    if (this.isType(place.document)) return false
    const severity = severityAt(rule, applied.severity, path, place.document.source)
    if (severity === 'off') return false
    if (applied.worst === null || severities.indexOf(severity) < severities.indexOf(applied.worst))
      applied.worst = severity
    const description = rule.description ?? ''
    const property =
      wanted.length > path.length ? printPath(wanted.slice(Math.max(0, path.length - 1))) : (path.at(-1) ?? '')
    const values = { property, error: violation.message, path: printPointer(path), description, value: place.value }
    const error = fillMessage(violation.message, values)
    const template = rule.message
    const message = shorten(
      template === undefined ? (rule.description ?? error) : fillMessage(template, { ...values, error }),
    )
    this.add(
      id,
      severity,
      message,
      place.document,
      path,
      null,
      linkFor(rule, this.formats),
      this.fixOf(rule, place, violation),
    )
    return true
  }

  private fixOf({ fix }: Rule, { document, path, wanted }: LocatedNode, violation: Violation): Fix | null {
    if (!this.fixes || fix === undefined) return null
    const { kind, name } = violation
    const value = getPath(document.value, path)
    return fix({ document, path: wanted, value, kind: kind ?? null, name: name ?? null })
  }

  private add(
    code: string,
    severity: Severity,
    message: string,
    document: Document,
    path: Path,
    known: Finding['range'] | null,
    documentationUrl: string | null,
    fix: Fix | null = null,
  ): void {
    const { source } = document
    const pointer = formatPointer(path)
    // One rule says one thing once about one place, however many ways lead there.
    const key = `${code}\n${source}\n${pointer}\n${path.length === 0 && known !== null ? known.start.line : ''}\n${message}`
    if (this.findings.has(key)) return
    const range = known ?? this.rangeOf(document, path)
    const plain = fingerprintOf(code, source, path, document.value)
    const before = this.alike.get(plain) ?? 0
    this.alike.set(plain, before + 1)
    const fingerprint = before === 0 ? plain : `${plain}-${before}`
    this.findings.set(key, {
      code,
      severity,
      message,
      path,
      pointer,
      source,
      range,
      fingerprint,
      documentationUrl,
      fix,
    })
  }

  // Spectral reads a document as YAML, whatever it is, and what references lead to as JSON where its name says so.
  private rangeOf(document: Document, path: Path): Finding['range'] {
    const isPlain = document !== this.document && document.source.endsWith('.json')
    return document.locate(path, isPlain ? {} : { spectral: true })
  }

  private isWithin({ source, path }: Finding): boolean {
    const { within, document } = this
    return within.length === 0 || (source === document.source && within.every((step, index) => path[index] === step))
  }

  sorted(): Finding[] {
    return [...this.findings.values()].filter((it) => this.isWithin(it)).sort(byPlace)
  }
}

/** Begins a run: everything is applied, and functions that answer later may be open. */
function begin(document: Document, ruleset: Ruleset, options: LintOptions) {
  const run = new Run(document, ruleset, options)
  if (options.within === undefined) run.reportProblems()
  const own = run.ownHits()
  const formats = formatsOf(document)
  const meant = Object.entries(ruleset).filter(([, rule]) => appliesTo(rule, formats))
  const skipped = meant.flatMap(([code, { skipped: reason }]) => (reason === undefined ? [] : [{ code, reason }]))
  const isQuiet = findsNothingIn(document, run.documents)
  const applied: Applied[] = meant
    .filter(([, { skipped: reason }]) => reason === undefined)
    .map(([id, rule]) => {
      const severity = rule.severity ?? 'warning'
      return { id, rule, severity, worst: null, hits: 0, targets: 0, quiet: isQuiet(rule) }
    })
  if (!document.problems.some((it) => it.severity === 'error') || document.value !== null)
    for (const resolved of [true, false])
      for (const custom of [false, true])
        run.apply(applied, planFor(ruleset, formats, { resolved, custom }), { resolved, custom })
  return {
    run,
    finish: (): LintResult => {
      const findings = run.sorted()
      const rules = hitsOf(applied, findings)
      const late = [...run.waiting()].map((code) => ({ code, reason: 'its function answers later' }))
      const cut = [...run.incomplete].map((code) => ({ code, reason: tooManyWays }))
      return {
        findings,
        // Where no rule applies, nothing can be graded, whatever is wrong with the text.
        rules: rules.length === 0 ? [] : [...rules, ...own],
        skipped: [...skipped, ...late, ...cut],
        passed: run.passed,
      }
    },
  }
}

/**
 * Applies a ruleset to a document. Pure and deterministic; a document that cannot be read gives its problems as findings
 * of the code `parser`, a reference that cannot be resolved is a finding of `invalid-ref`. Rules with functions that answer
 * later are skipped: see `lintAndWait`.
 */
export const lint = (document: Document, ruleset: Ruleset, options: LintOptions = {}): LintResult =>
  begin(document, ruleset, options).finish()

/** Like `lint`, and waits for functions that answer later. */
export async function lintAndWait(
  document: Document,
  ruleset: Ruleset,
  options: LintOptions = {},
): Promise<LintResult> {
  const { run, finish } = begin(document, ruleset, options)
  await run.settle()
  return finish()
}
