import { queryOptions } from '@tanstack/react-query'
import { versionsApi } from '../../../../src/api/versions.ts'
import { call } from '../../call.ts'
import { TextLines } from '../../parts/text-lines.ts'
import { versionsKey } from '../catalog/versions.ts'
import type { Change, Pasted, StoredRef } from './queries.ts'

/** Lines before and behind a change. */
const around = 4
/** Of a longer change the first lines are shown. */
const most = 24
/** Of a longer line this much before the place, and this much in all. */
const before = 200
const widest = 900

/** A range of lines of one side. */
export interface Span {
  readonly first: number
  readonly count: number
  /** Where the place begins on its line. */
  readonly character: number
  /** Lines of the place that are left out. */
  readonly hidden: number
}

type Place = NonNullable<Change['base']>

/**
 * The places of a change whose lines say something of each other: where one side has only what the other was added to, or
 * removed from, its lines are others.
 */
export const placesOf = ({ base, head }: Pick<Change, 'base' | 'head'>): Pick<Change, 'base' | 'head'> => {
  if (base === null || head === null) return { base, head }
  if (head.pointer.startsWith(`${base.pointer}/`)) return { base: null, head }
  if (base.pointer.startsWith(`${head.pointer}/`)) return { base, head: null }
  return { base, head }
}

/** The lines to show of a place; null where its lines are not known. */
export const spanOf = (place: Place | null): Span | null => {
  if (place?.range == null) return null
  const { start, end } = place.range
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line
  const shown = Math.min(last, start.line + most - 1)
  const first = Math.max(0, start.line - around)
  return {
    first,
    count: shown + (shown === last ? around : 0) - first + 1,
    character: start.character,
    hidden: last - shown,
  }
}

interface Shown {
  readonly text: string
  /** Whether parts of its lines are left out. */
  readonly isCut: boolean
}

const cut = (line: string, character: number): string => {
  const from = Math.max(0, Math.min(character - before, line.length - widest))
  return `${from > 0 ? '… ' : ''}${line.slice(from, from + widest)}${from + widest < line.length ? ' …' : ''}`
}

const joined = (lines: readonly string[], character: number): Shown => ({
  text: lines.map((it) => cut(it, character)).join('\n'),
  isCut: lines.some((it) => it.length > widest),
})

/** A line as the service answers it: of a longer one the part around the place. */
interface AnsweredLine {
  readonly text: string
  /** Where the part begins on its line, and how long the whole line is. */
  readonly from: number
  readonly length: number
}

/** Lines that the service answered, and whether more of them is left out. */
export const shownOf = (lines: readonly AnsweredLine[], character: number): Shown => {
  const isPart = lines.some(({ from }) => from > 0)
  const shown = joined(
    lines.map(({ text }) => text),
    isPart ? 300 : character,
  )
  return { ...shown, isCut: shown.isCut || lines.some(({ text, length }) => length > text.length) }
}

/** Some lines of a document that is only here. */
export const ofPasted = ({ text }: Pasted, { first, count, character }: Span): Shown =>
  joined(
    new TextLines(text).excerpt({ from: first, count }).lines.map((it) => it.text),
    character,
  )

/** Some lines of one side of a comparison. */
export const excerptQuery = (tenant: string, side: StoredRef | Pasted, digest: string, span: Span | null) =>
  queryOptions({
    queryKey: [...versionsKey(tenant), 'excerpt', digest, span],
    queryFn: async (): Promise<Shown> => {
      if (span === null) return { text: '', isCut: false }
      if ('text' in side) return ofPasted(side, span)
      const { lines } = await call(versionsApi.excerpt, {
        params: { tenant_slug: tenant, project_ref: side.project, version_ref: side.version },
        query: { offset: span.first, limit: Math.min(200, span.count), character: span.character },
      })
      return shownOf(lines, span.character)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
