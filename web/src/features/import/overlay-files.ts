/** Overlays that were chosen for an import: files, and texts that were pasted. */
import type { SentOverlay } from '../../../../src/api/imports.ts'

export interface ChosenOverlay {
  /** Another one for every choice. */
  readonly id: string
  /** What it is called on the page and in findings; no two of an import have the same. */
  readonly name: string
  readonly text: string
  readonly isFile: boolean
}

/** What one import takes. */
export const mostOverlays = 20

const seen = { count: 0 }
const made = (name: string, text: string, isFile: boolean): ChosenOverlay => ({
  id: String(++seen.count),
  name,
  text,
  isFile,
})

export const fileOverlay = (name: string, text: string): ChosenOverlay => made(name, text, true)
export const pastedOverlay = (text: string): ChosenOverlay => made('pasted overlay', text, false)

/** Whether a text says at its top level that it is an overlay; the service reads it whole. */
export function isOverlayText(text: string): boolean {
  if (/^\s*\{/.test(text)) {
    // Of a large JSON text only the begin, where such a member is: the service reads it whole.
    const head = text.slice(0, 100_000)
    return /^\s*\{[^{[]*"overlay"\s*:\s*"/.test(head) && !/"(openapi|swagger)"\s*:\s*"/.test(head)
  }
  return /^["']?overlay["']?\s*:/m.test(text) && !/^["']?(openapi|swagger|arazzo)["']?\s*:/m.test(text)
}

/** The overlays with others behind them, each under a name of its own. */
export function withMore(before: readonly ChosenOverlay[], more: readonly ChosenOverlay[]): readonly ChosenOverlay[] {
  const all = [...before]
  for (const it of more) {
    let name = it.name
    for (let count = 2; all.some((other) => other.name === name); count++) name = `${it.name} (${count})`
    all.push({ ...it, name })
  }
  return all
}

/** The overlays with one of them moved by one place: -1 ahead of the one before it, 1 behind the next. */
export function moved(overlays: readonly ChosenOverlay[], index: number, by: -1 | 1): readonly ChosenOverlay[] {
  const [one] = overlays.slice(index, index + 1)
  return one === undefined ? overlays : overlays.toSpliced(index, 1).toSpliced(index + by, 0, one)
}

/** The part of a request that has them. */
export const overlaysOf = (overlays: readonly ChosenOverlay[]): { overlays?: SentOverlay[] } =>
  overlays.length === 0 ? {} : { overlays: overlays.map(({ name, text }) => ({ name, content: text })) }
