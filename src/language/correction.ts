/** The edit that corrects a misspelling: a value, a property, a tag, a reference or the id of an operation that is meant. */
import type { Document } from '../document/document.ts'
import { parseDocument } from '../document/parse.ts'
import { applyEdits, type Edit } from '../kernel/edits.ts'
import { isObject, type Json, type Path } from '../kernel/json.ts'
import { formatFragment, getPath, parseFragment } from '../kernel/pointer.ts'
import { suggest } from '../kernel/suggest.ts'
import type { Finding } from '../lint/finding.ts'
import { contradictedBy } from '../merge/broken-by.ts'

/** What an editor offers: `Replace "strng" by "string"`. */
export interface Correction {
  readonly title: string
  readonly edit: Edit
}

interface Misspelling {
  readonly path: Path
  /** The key of the node is meant, not its value. */
  readonly key: boolean
  readonly written: string
  readonly meant: string
}

const textAt = (document: Document, path: Path): string | null => {
  const value = getPath(document.value, path)
  return typeof value === 'string' ? value : null
}

/** What the message of a finding suggests. */
function ofMessage(document: Document, { message, path }: Finding): Misspelling | null {
  const meant = /did you mean "([^"]+)"\?/.exec(message)?.[1]
  if (meant === undefined) return null
  const property = /^Unknown property "([^"]+)"/.exec(message)?.[1]
  if (property !== undefined) {
    const place = path.at(-1) === property ? path : [...path, property]
    const holder = getPath(document.value, place.slice(0, -1)) ?? null
    const isFree = isObject(holder) && !Object.hasOwn(holder, meant)
    return isFree ? { path: place, key: true, written: property, meant } : null
  }
  const written = textAt(document, path)
  return written === null ? null : { path, key: false, written, meant }
}

const namesOf = (value: Json | undefined, key: string): string[] =>
  Array.isArray(value)
    ? (value as readonly Json[]).flatMap((it) => (isObject(it) && typeof it[key] === 'string' ? [it[key]] : []))
    : []

/** The tag of the document that an operation means. */
function ofTag(document: Document, { code, path }: Finding): Misspelling | null {
  const written = code === 'operation-tag-defined' ? textAt(document, path) : null
  if (written === null || !isObject(document.value)) return null
  const meant = suggest(written, namesOf(document.value.tags, 'name'))
  return meant === null ? null : { path, key: false, written, meant }
}

/** The component that a reference within the document means: the nearest name at the step that does not exist. */
function ofReference(document: Document, { code, path }: Finding): Misspelling | null {
  const written = code === 'invalid-ref' ? textAt(document, path) : null
  const steps = written?.startsWith('#/') === true ? parseFragment(written) : null
  if (written === null || steps === null) return null
  for (let depth = 0; depth < steps.length; depth++) {
    const holder = getPath(document.value, steps.slice(0, depth)) ?? null
    if (!isObject(holder)) return null
    const step = steps[depth] ?? ''
    if (Object.hasOwn(holder, step)) continue
    const near = suggest(step, Object.keys(holder))
    if (near === null) return null
    const corrected = [...steps.slice(0, depth), near, ...steps.slice(depth + 1)]
    const meant = formatFragment(corrected)
    return getPath(document.value, corrected) === undefined ? null : { path, key: false, written, meant }
  }
  return null
}

const operationIds = (value: Json): string[] => {
  if (!isObject(value) || !isObject(value.paths)) return []
  return Object.values(value.paths).flatMap((item) =>
    isObject(item)
      ? Object.values(item).flatMap((it) =>
          isObject(it) && typeof it.operationId === 'string' ? [it.operationId] : [],
        )
      : [],
  )
}

/** The operation of the document that a link means. */
function ofOperation(document: Document, { path }: Finding): Misspelling | null {
  const isLink = path.at(-1) === 'operationId' && path.includes('links')
  const written = isLink ? textAt(document, path) : null
  const meant = written === null ? null : suggest(written, operationIds(document.value))
  return written === null || meant === null || meant === written ? null : { path, key: false, written, meant }
}

/** A text in the quotes of the one before it; JSON and names that YAML would read as something else are quoted. */
function inQuotes(before: string, text: string, { syntax }: Document): string {
  const quote = before[0]
  if (quote === "'") return `'${text.replaceAll("'", "''")}'`
  const isPlain = syntax === 'yaml' && quote !== '"' && /^[A-Za-z_][\w/.-]*$/.test(text)
  return isPlain ? text : JSON.stringify(text)
}

/**
 * What corrects a finding about a name that is near another one.
 * @returns null where nothing near is known, the text would not say what is meant afterwards, or what is meant would break the document
 */
export function correctionOf(document: Document, finding: Finding): Correction | null {
  if (document.value === null || finding.source !== document.source) return null
  const found = [ofMessage, ofTag, ofReference, ofOperation]
    .map((it) => it(document, finding))
    .find((it) => it !== null)
  if (found === undefined) return null
  const { path, key, written, meant } = found
  const span = document.span(path, { key })
  if (span === null) return null
  const edit = { ...span, text: inQuotes(document.text.slice(span.start, span.end), meant, document) }
  const after = parseDocument(applyEdits(document.text, [edit]), { source: document.source, syntax: document.syntax })
  const place = key ? [...path.slice(0, -1), meant] : path
  const isMeant = key ? getPath(after.value, place) !== undefined : getPath(after.value, place) === meant
  if (!isMeant || after.problems.length > document.problems.length) return null
  // The word that is near may be one that must not be there twice.
  const isWhole = contradictedBy(after.value, [document.value]).every(({ isFault }) => !isFault)
  return isWhole ? { title: `Replace "${written}" by "${meant}"`, edit } : null
}
