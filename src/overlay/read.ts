/** An Overlay document, read and checked. */
import type { Document, Problem } from '../document/document.ts'
import { validateBy } from '../document/validate/structure.ts'
import { SvcError } from '../errors.ts'
import { entriesOf, isObject, listOf, objectOf, textOf, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { getPath, parseFragment } from '../kernel/pointer.ts'
import { overlayGrammar, overlayVersions, type OverlayVersion } from './grammar.ts'
import { QueryInvalid, readQuery, type Query } from './jsonpath.ts'

/** One action: what it selects, and what it does there. An action that does nothing has no change. */
export interface OverlayAction {
  /** Its position in `actions`. */
  readonly index: number
  readonly target: Query
  readonly description: string | null
  readonly change:
    | { readonly kind: 'update'; readonly value: Json }
    | { readonly kind: 'copy'; readonly from: Query }
    | { readonly kind: 'remove' }
    | null
}

/** An overlay (Overlay 1.1, section "Overlay Object"). */
export interface Overlay {
  readonly document: Document
  readonly version: OverlayVersion
  readonly title: string
  /** The reference to the document that it was made for, as it is written; null where it names none. */
  readonly extends: string | null
  readonly actions: readonly OverlayAction[]
}

/** What is wrong with an overlay; the overlay where nothing of it is an error. */
export interface OverlayReading {
  readonly overlay: Overlay | null
  readonly problems: readonly Problem[]
}

/** Whether a value says that it is an overlay, of whatever version. */
export const isOverlay = (value: Json): boolean =>
  isObject(value) && Object.hasOwn(value, 'overlay') && !Object.hasOwn(value, 'openapi')

class Reading {
  readonly problems: Problem[]
  readonly #document: Document

  constructor(document: Document, problems: readonly Problem[]) {
    this.#document = document
    this.problems = [...problems]
  }

  report(code: string, severity: Problem['severity'], path: Path, message: string): void {
    this.problems.push({ code, severity, message, path, range: this.#document.locate(path) })
  }

  /** Null where the text is no query, which is reported. */
  query(text: string, path: Path): Query | null {
    try {
      const query = readQuery(text)
      if (query.corrected !== null)
        this.report(
          'overlay-query-name',
          'warning',
          path,
          `RFC 9535 has no names with hyphens behind a dot; write ${query.corrected}.`,
        )
      return query
    } catch (error) {
      if (!(error instanceof QueryInvalid)) throw error
      this.report(
        'overlay-query',
        'error',
        path,
        `"${text}" is no JSONPath query: ${error.message}, at character ${error.offset + 1}.`,
      )
      return null
    }
  }

  action(action: JsonObject, index: number): OverlayAction | null {
    const path: Path = ['actions', index]
    const whole = this.resolved(action, path)
    if (whole === null) return null
    const target = this.query(textOf(whole.target), [...path, 'target'])
    const change = this.change(whole, path)
    if (target === null || change === undefined) return null
    const description = typeof whole.description === 'string' ? whole.description : null
    return { index, target, description, change }
  }

  /** An action with what a reusable action of the draft of 1.2 gives it. */
  resolved(action: JsonObject, path: Path): JsonObject | null {
    const { $ref, ...own } = action
    if (typeof $ref !== 'string') return action
    const keys = $ref.startsWith('#/components/actions/') ? parseFragment($ref) : null
    const found = keys === null ? undefined : getPath(this.#document.value, keys)
    if (!isObject(found)) {
      this.report(
        'overlay-reference',
        'error',
        [...path, '$ref'],
        `"${$ref}" names no reusable action of this overlay.`,
      )
      return null
    }
    return { ...objectOf(found.fields), ...own }
  }

  /** Undefined where it is wrong, which is reported. */
  change(action: JsonObject, path: Path): OverlayAction['change'] | undefined {
    const { update, copy, remove } = action
    if (remove === true) {
      if (update !== undefined || copy !== undefined)
        this.report('overlay-no-effect', 'warning', path, '"update" and "copy" do nothing beside "remove".')
      return { kind: 'remove' }
    }
    if (update !== undefined && copy !== undefined) {
      this.report(
        'overlay-no-effect',
        'warning',
        path,
        '"update" and "copy" exclude each other: with both, the action does nothing.',
      )
      return null
    }
    if (typeof copy === 'string') {
      const from = this.query(copy, [...path, 'copy'])
      return from === null ? undefined : { kind: 'copy', from }
    }
    if (update === undefined && (remove === undefined || remove === false))
      this.report(
        'overlay-no-effect',
        'warning',
        path,
        'The action has no "update", "copy" or "remove" and does nothing.',
      )
    return update === undefined ? null : { kind: 'update', value: update }
  }
}

const isError = ({ severity }: Problem): boolean => severity === 'error'

function versionOf(value: Json): OverlayVersion | null {
  const written = textOf(objectOf(value).overlay)
  return overlayVersions.find((it) => written === it || written.startsWith(`${it}.`)) ?? null
}

/**
 * Reads an overlay: its syntax, its structure by the published schemas, and its JSONPath queries.
 * Problems are in the order of the text, each with its place.
 */
export function readOverlay(document: Document): OverlayReading {
  const { value, problems: syntax } = document
  if (syntax.some(isError)) return { overlay: null, problems: syntax }
  const reading = new Reading(document, syntax)
  const version = versionOf(value)
  if (version === null) {
    const isOne = isOverlay(value)
    const message = isOne
      ? `"overlay" must be a version ${overlayVersions.slice(0, 2).join('.x or ')}.x, but is ${JSON.stringify(objectOf(value).overlay)}.`
      : 'This is no overlay: it has no "overlay" with the version of the specification.'
    reading.report('overlay-version', 'error', isOne ? ['overlay'] : [], message)
    return { overlay: null, problems: reading.problems }
  }
  reading.problems.push(...validateBy(document, overlayGrammar(version)))
  if (version === '1.2')
    reading.report(
      'overlay-version',
      'warning',
      ['overlay'],
      'Overlay 1.2 is a draft; it is read as the draft describes it.',
    )
  const actions = listOf(objectOf(value).actions).flatMap((it, index) => {
    const isWhole = isObject(it) && typeof it.target === 'string' && it.target.startsWith('$')
    return (isWhole ? reading.action(it, index) : null) ?? []
  })
  for (const [name, it] of entriesOf(objectOf(objectOf(value).components).actions))
    if (isObject(it) && isObject(it.fields) && Object.hasOwn(it.fields, 'target'))
      reading.report(
        'overlay-reference',
        'error',
        ['components', 'actions', name],
        'A reusable action has no "target": whoever refers to it gives one.',
      )
  const problems = reading.problems.toSorted(
    ({ range: { start: a } }, { range: { start: b } }) => a.line - b.line || a.character - b.character,
  )
  if (problems.some(isError)) return { overlay: null, problems }
  const { info, extends: base } = objectOf(value)
  const title = textOf(objectOf(info).title)
  return { overlay: { document, version, title, extends: typeof base === 'string' ? base : null, actions }, problems }
}

/** A problem with its place, as messages show it: "overlay.yaml:4:11: …". */
export const placedMessage = (source: string, { range: { start }, message }: Problem): string =>
  `${source}:${start.line + 1}:${start.character + 1}: ${message}`

/**
 * The overlay that a document is.
 * @throws SvcError `overlay-invalid` with every error and its place
 */
export function overlayOf(document: Document): Overlay {
  const { overlay, problems } = readOverlay(document)
  if (overlay !== null) return overlay
  throw new SvcError('overlay-invalid', {
    source: document.source,
    problems: problems.filter(isError).map((it) => placedMessage(document.source, it)),
  })
}
