/** What reads and checks the documents of an editor. One call at a time; edits may come in between. */
import { dirname } from 'node:path'
import type { Document, Problem } from '../../src/document/document.ts'
import { readTolerantly } from '../../src/document/parse.ts'
import type { Position } from '../../src/document/position.ts'
import type { Documents } from '../../src/document/reference.ts'
import { looksLikeDescription } from '../../src/document/text.ts'
import { SvcError } from '../../src/errors.ts'
import type { Path } from '../../src/kernel/json.ts'
import { placeAt } from '../../src/language/place.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { lintAndWait, type Pace } from '../../src/lint/lint.ts'
import { readRuleset } from '../../src/lint/read-ruleset.ts'
import type { Rule, Ruleset } from '../../src/lint/rule.ts'
import { functionsFor, loaderFor } from '../guide/rulesets.ts'
import { isOverlaid } from '../../src/overlay/trace.ts'
import { type Linted, lintTarget } from '../lint/outcome.ts'
import { placeFindings } from '../lint/overlaid.ts'
import { Breaking } from './breaking.ts'
import { carryFindings, type Shift, shiftOf } from './carry.ts'
import type { Checkable } from './checkable.ts'
import { diagnosticOf } from './diagnostic.ts'
import { acceptedOf, type Guides } from './guides.ts'
import { findingAt, isWrittenThere, laidAsWritten, type LaidDocument, withEditorOverlays } from './overlays.ts'
import { isRuleset } from './ruleset-name.ts'
import { isFile, type Key, keyOf, OpenText, Store } from './store.ts'
import { smallest } from './text.ts'
import { EditorTypes, isTypeKey } from './types.ts'
import type { Checked, EditedText, Encoding, OpenedText, Pass, Published } from './wire.ts'

const findingOf = ({ code, severity, message, path, range }: Document['problems'][number], source: string): Finding =>
  findingAt(code === 'syntax' ? 'parser' : code, severity, message, { source, path, range })

/** Everything that is wrong with a ruleset, as "svc lint --guide" says it. */
async function rulesetFindings(document: Document, { around, choice }: Guides): Promise<Finding[]> {
  const { source, problems, value } = document
  const own = problems.map((it) => findingOf(it, source))
  if (value === null) return own
  const cwd = isFile(source) ? dirname(source) : choice.folder
  const read = { ...around, cwd, runsFunctions: choice.runsFunctions, onFailure: () => {} }
  const found = await readRuleset(document, loaderFor(read), { functions: functionsFor(read) })
  return [...own, ...found.problems.filter((it) => it.source === source).map((it) => findingOf(it, source))]
}

/** A document was being checked when something else came first. */
export class Cancelled extends Error {}

/** What was found when a document was checked last. */
interface Result {
  /** Of the document and of those that it refers to, where they are now. */
  findings: readonly Finding[]
  readonly documents: Documents
  /** The overlays that were applied to it. */
  readonly overlays: readonly Key[]
}

// More than this is too much to read in passing.
const mostExplained = 3

// What one function checks from the top of a document, at once: the structure of its format.
const structureRules: ReadonlySet<string> = new Set(['oas2-schema', 'oas3-schema', 'arazzo-document-schema'])
// Found by linting with any rules.
const ownCodes: ReadonlySet<string> = new Set(['parser', 'invalid-ref'])

interface Split {
  readonly structure: Ruleset
  readonly others: Ruleset
}
// What is planned for a ruleset is kept by its identity.
const splits = new WeakMap<Ruleset, Split>()

function split(rules: Ruleset): Split {
  let found = splits.get(rules)
  if (found === undefined) {
    const all = Object.entries(rules)
    const [structure, others] = [true, false].map((wanted) => all.filter(([id]) => structureRules.has(id) === wanted))
    found = { structure: Object.fromEntries(structure ?? []), others: Object.fromEntries(others ?? []) }
    splits.set(rules, found)
  }
  return found
}

const isBelow = (path: Path, part: Path): boolean => part.every((step, index) => path[index] === step)

// A part of a large document that is checked in a moment: an operation, a component.
const deepestPart = 3

/** The part of a document that holds everything between two offsets. */
function partAround(document: Document, start: number, end: number): Path {
  if (start > end) return []
  const [first, last] = [placeAt(document, start).path, placeAt(document, end).path]
  const different = first.findIndex((step, index) => step !== last[index])
  return first.slice(0, Math.min(deepestPart, different === -1 ? first.length : different))
}

const noReach = { documents: {}, failure: null } as const

const isNote = (finding: Finding): boolean => finding.code === 'parser'

export class Engine {
  readonly store: Store
  readonly #guides: Guides
  readonly #results = new Map<Key, Result>()
  readonly #breaking: Breaking
  /** What texts break, by the document that was compared. */
  readonly #changes = new Map<Key, readonly Finding[]>()
  encoding: Encoding = 'utf-16'

  constructor(guides: Guides) {
    this.#guides = guides
    this.store = new Store(new EditorTypes(guides.around))
    this.#breaking = new Breaking(guides.around)
  }

  open(given: OpenedText): void {
    const text = new OpenText(given)
    this.store.open.set(text.key, text)
  }

  edit({ uri, version, changes }: EditedText): void {
    const text = this.store.open.get(keyOf(uri))
    if (text === undefined) return
    for (const given of changes) {
      const change = smallest(text.text.getText(), given)
      const shift = shiftOf(text.text.positionAt(change.start), text.text.positionAt(change.end), change.text)
      for (const result of this.#results.values()) result.findings = carried(result.findings, text.key, shift)
      for (const [key, changes] of this.#changes) this.#changes.set(key, carried(changes, text.key, shift))
      text.edit(change, version)
    }
  }

  close(uri: string): void {
    this.store.open.delete(keyOf(uri))
  }

  /** Files changed on the disk: rulesets among them are read again. */
  changed(): void {
    this.#guides.forget()
    this.#breaking.forget()
    this.store.types.forget()
  }

  /** A document with what it refers to and its guide; null where the text is not one of ours. */
  async checkable(key: Key): Promise<Checkable | null> {
    // A registered type is checked where it is registered.
    if (key.startsWith(`${this.store.types.folder}/`)) return null
    const read = await this.store.read(key)
    if (read === null || !isOurs(read)) return null
    // As "svc lint" does: a comma too many hides nothing else.
    const document = readTolerantly(read)
    const found = await this.#guides.of(key)
    const applied = 'guide' in found ? found : null
    const project = applied?.project ?? null
    const laid = project === null ? laidAsWritten(document) : await withEditorOverlays(document, project, this.store)
    const reach = document.value === null ? noReach : await this.store.reachOf(laid.document)
    return { key, document, laid, documents: reach.documents, typeFailure: reach.failure, applied }
  }

  /**
   * Checks a text that is open and gives all findings of it and of the files that it refers to; for one that was closed, what
   * is left to show of it.
   * @throws Cancelled where `pace` did
   */
  async check(uri: string, pass: Pass, pace: Pace): Promise<Checked> {
    const key = keyOf(uri)
    if (pass === 'compare') return this.#compare(key, pace)
    const before = this.#results.get(key)
    const notes: string[] = []
    const open = this.store.open.get(key)
    const version = open?.text.version
    const fault = pass === 'quick' && before !== undefined ? open?.fault() : null
    if (before !== undefined && fault) {
      const findings = [faultFinding(key, fault), ...before.findings.filter((it) => !isNote(it))]
      this.#results.set(key, { ...before, findings })
      return { outcome: 'done', published: [await this.#publish(key)], notes, referrers: [] }
    }
    if (open !== undefined && isRuleset(open.document)) {
      const findings = await rulesetFindings(open.document, this.#guides)
      this.#results.set(key, { findings, documents: {}, overlays: [] })
      return { outcome: 'done', published: [await this.#publish(key)], notes, referrers: [] }
    }
    const checkable = open === undefined ? null : await this.checkable(key)
    if (open === undefined) this.#changes.delete(key)
    if (checkable === null) this.#results.delete(key)
    else {
      const found = await this.#guides.of(key)
      if ('refused' in found) notes.push(found.refused)
      notes.push(...this.#aboutTypes(checkable))
      const findings = await this.#look(checkable, before?.findings ?? [], pass, pace)
      this.#results.set(key, { findings, documents: checkable.documents, overlays: checkable.laid.overlays })
      if (open !== undefined && open.text.version === version) open.checked()
    }
    const sources = new Set([key, ...(before?.findings ?? []).map((it) => it.source)])
    // What is wrong within a registered type is shown where it is registered.
    for (const { source } of this.#results.get(key)?.findings ?? []) if (!isTypeKey(source)) sources.add(source)
    const published: Published[] = []
    for (const source of sources) published.push(await this.#publish(source))
    return { outcome: 'done', published, notes, referrers: this.#referrersOf(key) }
  }

  #typesToldOf: string | null = null

  /** Says once why registered types cannot be read, until they can be. */
  #aboutTypes({ typeFailure }: Checkable): string[] {
    const isNew = typeFailure !== null && typeFailure !== this.#typesToldOf
    this.#typesToldOf = typeFailure
    return isNew ? [`Registered types cannot be read, so references to them are not checked: ${typeFailure}`] : []
  }

  /** Compares the document of an API with what `svc.yaml` compares it with. */
  async #compare(key: Key, pace: Pace): Promise<Checked> {
    const open = this.store.open.get(key)
    const checkable = open === undefined || isRuleset(open.document) ? null : await this.checkable(key)
    const project = checkable?.applied?.project ?? null
    const before = this.#changes.get(key) ?? []
    const notes: string[] = []
    if (checkable !== null && project !== null && checkable.document.value !== null)
      try {
        this.#changes.set(key, await this.#breaking.findings(checkable, project, () => pace(() => [])))
      } catch (error) {
        if (!(error instanceof SvcError)) throw error
        this.#changes.delete(key)
        notes.push(`${key} is not compared: ${error.message}`)
      }
    const sources = new Set([...before, ...(this.#changes.get(key) ?? [])].map((it) => it.source))
    const published: Published[] = []
    for (const source of sources) published.push(await this.#publish(source))
    return { outcome: 'done', published, notes, referrers: [] }
  }

  async #look(checkable: Checkable, carried: readonly Finding[], pass: Pass, pace: Pace): Promise<readonly Finding[]> {
    const { key, laid, documents, applied, typeFailure } = checkable
    const { document } = laid
    const rules = applied?.guide.rulesFor(key) ?? {}
    const options = applied?.guide.options
    const how = { knowsTypes: typeFailure === null, pace, ...(options === undefined ? {} : { guide: options }) }
    const chosen = applied?.guide.chosen ?? true
    const target = { document, documents }
    const accepted = (linted: Linted, unused: 'warning' | 'off'): readonly Finding[] =>
      applied === null ? linted.findings : acceptedOf(withPlaces(linted, laid), applied, rules, unused)
    // Offsets of the text are no places of what overlays made of it.
    const edited = isOverlaid(document) ? null : (this.store.open.get(key)?.edited ?? null)
    if (pass === 'quick' && document.value !== null && edited !== null) {
      const part = partAround(document, edited.start, edited.end)
      const { structure, others } = split(rules)
      const linted = await lintTarget(target, structure, { chosen: true, ...how })
      const local =
        part.length < 2 ? null : await lintAndWait(document, others, { documents, fixes: true, within: part, ...how })
      const isKnownAgain = ({ code, source, path }: Finding): boolean =>
        structureRules.has(code) ||
        ownCodes.has(code) ||
        (local !== null &&
          source === key &&
          Object.hasOwn(rules, code) &&
          !local.passed.has(code) &&
          isBelow(path, part))
      return [
        ...accepted({ ...linted, findings: [...linted.findings, ...(local?.findings ?? [])] }, 'off'),
        ...carried.filter((it) => !isKnownAgain(it)),
      ]
    }
    const named = applied === null ? {} : { name: applied.guide.name }
    const findings = accepted(await lintTarget(target, rules, { chosen, ...named, ...how }), 'warning')
    // While a text cannot be read, what was found before in other places stays.
    return document.value === null ? [...findings, ...carried.filter((it) => !isNote(it))] : findings
  }

  async #publish(source: Key): Promise<Published> {
    const positions = await this.store.positionsOf(source, this.encoding)
    const own = this.#results.get(source)?.findings ?? []
    const others = [...this.#results].flatMap(([key, it]) => (key === source ? [] : it.findings))
    const seen = new Set<string>()
    const diagnostics = [...own, ...others, ...[...this.#changes.values()].flat()]
      .filter((it) => it.source === source)
      .filter(({ code, message, pointer }) => {
        const said = `${code}\n${pointer}\n${message}`
        return !seen.has(said) && seen.add(said)
      })
      .sort(({ range: { start: a } }, { range: { start: b } }) => a.line - b.line || a.character - b.character)
      .map((it) => diagnosticOf(it, positions.range(it.range)))
    return { uri: this.store.uriOf(source), version: this.store.open.get(source)?.text.version ?? null, diagnostics }
  }

  /** What was found in a text when it was checked last, where it is now. */
  findingsOf(key: Key): readonly Finding[] {
    return [...this.#results.values()].flatMap((it) => it.findings).filter((it) => it.source === key)
  }

  /** What is found on the line of a position and around it, each in Markdown: the rule, why it is one, and where to read more. */
  async explainAt(uri: string, position: Position): Promise<string[]> {
    const key = keyOf(uri)
    const positions = await this.store.positionsOf(key, this.encoding)
    const here = this.findingsOf(key).filter((it) => {
      const { start, end } = positions.range(it.range)
      const isBehind = start.line === position.line && start.character <= position.character
      return isBehind && (end.line > position.line || end.character >= position.character)
    })
    const { rules } = await import('../../src/lint/rules.gen.ts')
    return here
      .slice(0, mostExplained)
      .map((it) => explained(it, Object.hasOwn(rules, it.code) ? rules[it.code] : undefined))
  }

  /** The documents of the editor that were found to refer to a text. */
  #referrersOf(key: Key): string[] {
    return [...this.#results]
      .filter(([root, it]) => root !== key && (Object.hasOwn(it.documents, key) || it.overlays.includes(key)))
      .map(([root]) => this.store.uriOf(root))
  }
}

/** Findings where they were written, with what is wrong with the overlays. A fix of the file stays: it is tried on the file itself. */
function withPlaces(linted: Linted, { document, findings }: LaidDocument): Linted {
  if (!isOverlaid(document)) return { ...linted, findings: [...findings, ...linted.findings] }
  const placed = placeFindings(linted)
  const kept = placed.findings.map((it, at) => {
    const { fix, path } = linted.findings[at]!
    return isWrittenThere(document, path) ? { ...it, fix } : it
  })
  return { ...placed, findings: [...findings, ...kept] }
}

const carried = (findings: readonly Finding[], source: Key, shift: Shift): readonly Finding[] =>
  findings.flatMap((it) => (it.source === source ? carryFindings([it], shift) : [it]))

const faultFinding = (source: Key, { message, range }: Problem): Finding =>
  findingAt('parser', 'error', message, { source, path: [], range })

function explained({ code, severity, message, documentationUrl }: Finding, rule: Rule | undefined): string {
  const help = rule?.help
  const parts = [`**${code}** (${severity}): ${message}`]
  const why = [rule?.description, help?.why].filter((it) => it !== undefined && it !== message)
  if (why.length > 0) parts.push(why.join(' '))
  if (help?.remedy !== undefined) parts.push(`What to do: ${help.remedy}`)
  if (documentationUrl !== null) parts.push(`[Documentation](${documentationUrl})`)
  return parts.join('\n\n')
}

// What says what it is, and what is broken and would.
function isOurs({ format, value, text, source }: Document): boolean {
  if (format !== null) return true
  return value === null && text.trim() !== '' && looksLikeDescription(text) && (isFile(source) || text.length > 0)
}
