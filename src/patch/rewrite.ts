/** A text for another value: only what differs is written anew, so that comments, order and style of everything else stay. */
import { isEqual } from '../anchors/equal-nodes.ts'
import type { Document } from '../document/document.ts'
import { detectFormat } from '../document/format.ts'
import { lineBreakOf, renameKey } from '../document/node-edits.ts'
import { parseDocument } from '../document/parse.ts'
import { serializeJson, serializeYaml } from '../document/serialize.ts'
import { applyEdits, type Edit } from '../kernel/edits.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { alignLists } from './align.ts'
import { containerEdits, nodeEdit, type Insertion, type Part } from './rewrite-edits.ts'

/** Edits of one container, which only make sense together. */
interface Group {
  readonly path: Path
  readonly edits: readonly Edit[]
  /** What the container is afterwards. */
  readonly after: Json
}

/** How the entries of a container change. */
interface Entries {
  readonly parts: readonly Part[]
  readonly insertions: readonly Insertion[]
  readonly isRemoving: boolean
  /** Edits of keys alone. */
  readonly keys?: readonly Edit[]
}

/** So often a text is looked at again where a few edits at once did not give what is wanted. */
const mostRounds = 24
/** From this round on, whole containers are written anew. */
const coarseRound = 8

/** So many pairs of entries are compared by their values. */
const mostPairs = 2500

/** The keys of entries that only have another key afterwards, or that became an extension, with what they are called then. */
function renamesOf(before: JsonObject, after: JsonObject): ReadonlyMap<string, string> {
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  const added = new Set(Object.keys(after).filter((key) => !Object.hasOwn(before, key)))
  const found = new Map<string, string>()
  if (removed.length === 0 || added.size === 0) return found
  const compares = removed.length * added.size <= mostPairs
  for (const key of removed) {
    const isSame = (name: string): boolean =>
      after[name] === before[key] || (compares && isEqual(before[key]!, after[name]!))
    const name = added.has(`x-${key}`) ? `x-${key}` : Iterator.from(added).find(isSame)
    if (name === undefined) continue
    found.set(key, name)
    added.delete(name)
  }
  return found
}

/** Gathers the edits between the value of a document and the one that it is to have. */
class Rewriting {
  readonly groups: Group[] = []
  readonly #document: Document
  readonly #whole: ReadonlySet<string>

  /** @param whole pointers of containers that are written anew */
  constructor(document: Document, whole: ReadonlySet<string>) {
    this.#document = document
    this.#whole = whole
  }

  /** @returns false where the text has no place for it, so that the container around it is to be written anew */
  node(path: Path, before: Json, after: Json): boolean {
    if (before === after) return true
    const isWhole = this.#whole.size > 0 && this.#whole.has(formatPointer(path))
    if (!isWhole) {
      const done = this.groups.length
      if (isObject(before) && isObject(after) && this.#map(path, before, after)) return true
      if (Array.isArray(before) && Array.isArray(after) && this.#list(path, before, after)) return true
      this.groups.length = done
      if (isEqual(before, after)) return true
    }
    // The root has no place: it is the text.
    const edit = path.length === 0 ? null : nodeEdit(this.#document, path, after)
    if (edit === null) return false
    this.groups.push({ path, edits: [edit], after })
    return true
  }

  #map(path: Path, before: JsonObject, after: JsonObject): boolean {
    const written = this.#document.keysInOrder(path)
    const names = new Set(written)
    const keys: Edit[] = []
    const renamed = new Map<string, string>()
    for (const [key, name] of renamesOf(before, after)) {
      const edit = names.has(key) ? renameKey(this.#document, [...path, key], name) : null
      if (edit === null) continue
      keys.push(edit)
      renamed.set(key, name)
    }
    const parts: Part[] = written.map((key) => ({
      path: [...path, key],
      isKept: key === '<<' || Object.hasOwn(after, key) || renamed.has(key),
    }))
    let isRemoving = false
    for (const key of Object.keys(before)) {
      const name = renamed.get(key) ?? key
      if (Object.hasOwn(after, name)) {
        if (!this.node([...path, key], before[key]!, after[name]!)) return false
      } else if (names.has(key)) isRemoving = true
      // It comes in by a merge of YAML, from elsewhere.
      else return false
    }
    const insertions = this.#insertions(before, after, written, parts, renamed)
    return this.#change(path, after, { parts, insertions, isRemoving, keys })
  }

  /** New entries, each behind the one that it follows in the wanted value. */
  #insertions(
    before: JsonObject,
    after: JsonObject,
    written: readonly string[],
    parts: readonly Part[],
    renamed: ReadonlyMap<string, string>,
  ): readonly Insertion[] {
    const places = new Map<string, number>()
    for (const [at, key] of written.entries()) if (parts[at]!.isKept) places.set(renamed.get(key) ?? key, at)
    const found: Insertion[] = []
    let behind = -1
    for (const [key, value] of Object.entries(after)) {
      const at = places.get(key)
      if (at !== undefined) behind = at
      else if (!Object.hasOwn(before, key)) found.push({ behind, key, value })
    }
    return found
  }

  #list(path: Path, before: readonly Json[], after: readonly Json[]): boolean {
    const steps = alignLists(before, after)
    const kept = new Set<number>()
    const insertions: Insertion[] = []
    let behind = -1
    for (const step of steps) {
      if (step.before !== null && step.after !== null) {
        behind = step.before
        kept.add(behind)
        if (!this.node([...path, behind], before[behind]!, after[step.after]!)) return false
      } else if (step.after !== null) insertions.push({ behind, key: null, value: after[step.after]! })
    }
    const parts = before.map((_, at): Part => ({ path: [...path, at], isKept: kept.has(at) }))
    return this.#change(path, after, { parts, insertions, isRemoving: kept.size < before.length })
  }

  #change(path: Path, after: Json, { parts, insertions, isRemoving, keys = [] }: Entries): boolean {
    const isOther = insertions.length > 0 || isRemoving
    if (!isOther && keys.length === 0) return true
    const edits = isOther ? containerEdits(this.#document, path, parts, insertions) : []
    if (edits === null) return false
    this.groups.push({ path, edits: [...edits, ...keys], after })
    return true
  }
}

const errorsOf = (document: Document): number => document.problems.filter(({ severity }) => severity === 'error').length

/** A document whose value is known; its positions are looked for when they are asked for. */
function withValue(text: string, value: Json, { source, syntax, format }: Document): Document {
  let whole: Document | null = null
  const read = (): Document => (whole ??= parseDocument(text, { source, syntax }))
  return {
    source,
    text,
    syntax,
    value,
    format: isObject(value) ? detectFormat(value) : format,
    problems: [],
    exactValue: () => read().exactValue(),
    locate: (path, options) => read().locate(path, options),
    span: (path, options) => read().span(path, options),
    countLines: () => read().countLines(),
    linesAt: (first, last) => read().linesAt(first, last),
    nonStringKeys: () => read().nonStringKeys(),
    keysInOrder: (path) => read().keysInOrder(path),
  }
}

interface Spanned extends Group {
  readonly start: number
  readonly end: number
}

/** The groups whose containers are in no other, with the edits of those that are in them; null where one has no place of its own. */
function outermost(document: Document, groups: readonly Group[]): Spanned[] | null {
  const spanned: Spanned[] = []
  for (const group of groups) {
    const span = document.span(group.path)
    if (span === null || group.edits.some((it) => it.start < span.start || it.end > span.end)) return null
    spanned.push({ ...group, start: span.start, end: span.end })
  }
  spanned.sort((a, b) => a.start - b.start || b.end - a.end)
  const outer: (Spanned & { edits: Edit[] })[] = []
  for (const it of spanned) {
    const last = outer.at(-1)
    if (last !== undefined && it.start < last.end) last.edits.push(...it.edits)
    else outer.push({ ...it, edits: [...it.edits] })
  }
  return outer
}

/**
 * The document after edits of a JSON text, where the containers that change are parts of it: what they are after their edits is read, and
 * everything else is the text that was read before. Null where that does not show that the document has the value.
 * @param wanted the value of the whole document afterwards; `groups` hold all differences
 */
function editedInParts(document: Document, groups: readonly Group[], wanted: Json): Document | null {
  const { text, syntax, problems } = document
  if (syntax !== 'json' || problems.length > 0) return null
  const outer = outermost(document, groups)
  // Reading nearly all of it in parts is no less work than reading it.
  if (outer === null || outer.reduce((sum, { start, end }) => sum + end - start, 0) > text.length * 0.9) return null
  const edits: Edit[] = []
  for (const { start, end, after, edits: own } of outer) {
    const sorted = own.toSorted((a, b) => a.start - b.start || a.end - b.end)
    for (const [at, it] of sorted.entries()) if (at > 0 && it.start < sorted[at - 1]!.end) return null
    const inner = sorted.map((it) => ({ ...it, start: it.start - start, end: it.end - start }))
    try {
      if (!isEqual(JSON.parse(applyEdits(text.slice(start, end), inner)) as Json, after)) return null
    } catch {
      return null
    }
    edits.push(...sorted)
  }
  return withValue(applyEdits(text, edits), wanted, document)
}

/** The document of an edited text; null where it cannot be read any more. */
function readAgain(text: string, before: Document): Document | null {
  const { source, syntax, problems } = before
  if (syntax === 'json' && problems.length === 0)
    try {
      // Its value decides whether it is what is wanted: that takes a quarter of the time of finding all positions.
      return withValue(text, JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as Json, before)
    } catch {
      return null
    }
  const made = parseDocument(text, { source, syntax })
  return errorsOf(made) > errorsOf(before) ? null : made
}

/** The document after edits; null where they overlap or the text cannot be read any more. */
function edited(document: Document, groups: readonly Group[]): Document | null {
  const edits = groups.flatMap((it) => it.edits).toSorted((a, b) => a.start - b.start || a.end - b.end)
  for (const [at, { start }] of edits.entries()) if (at > 0 && start < edits[at - 1]!.end) return null
  return readAgain(applyEdits(document.text, edits), document)
}

/**
 * The document with another value, its text edited in the smallest parts that give a safe place. The result is read again and has
 * exactly that value. Where a part gives no such place (an alias of YAML, a list on odd lines), what is around it is written anew.
 * @param wanted shares the nodes that stay with the value of the document, as far as that is known: those are not looked at
 * @returns null where all of the text has to be written anew
 */
export function rewriteParts(document: Document, wanted: Json): Document | null {
  const whole = new Set<string>()
  const raise = ({ path }: Group): void => {
    for (let length = path.length; length >= 0; length--) {
      const pointer = formatPointer(path.slice(0, length))
      if (whole.has(pointer)) continue
      whole.add(pointer)
      return
    }
  }
  let at = document
  for (let round = 0; round < mostRounds; round++) {
    const rewriting = new Rewriting(at, whole)
    if (!rewriting.node([], at.value, wanted)) break
    const { groups } = rewriting
    if (groups.length === 0) {
      if (isEqual(at.value, wanted)) return at
      break
    }
    const inParts = editedInParts(at, groups, wanted)
    if (inParts !== null) return inParts
    let count = groups.length
    let made = edited(at, groups)
    while (made === null && count > 1) {
      count >>= 1
      made = edited(at, groups.slice(0, count))
    }
    if (made !== null && count === groups.length && isEqual(made.value, wanted)) return made
    if (made === null) raise(groups[0]!)
    else if (round >= coarseRound || isEqual(made.value, at.value)) groups.slice(0, count).forEach(raise)
    at = made ?? at
  }
  return null
}

/** The document with another value as `rewriteParts` has it, or all of its text written anew. */
export function rewriteDocument(document: Document, wanted: Json): Document {
  const { source, syntax } = document
  const parts = rewriteParts(document, wanted)
  if (parts !== null) return parts
  const written = syntax === 'json' ? serializeJson(wanted) : serializeYaml(wanted)
  return parseDocument(written.replaceAll(/\r?\n/g, lineBreakOf(document)), { source, syntax })
}
