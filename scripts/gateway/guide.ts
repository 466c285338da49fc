/** A guide as a list of steps: what it writes to files, what it runs, and what it says that comes out. */
import { readFileSync } from 'node:fs'

/** One block of code of a guide. */
export interface GuideBlock {
  readonly language: string
  /** The heading that it is under. */
  readonly section: string
  /** The line of the guide that it begins at, from 1. */
  readonly line: number
  readonly text: string
  /** The file that the paragraph before says it is: "`Caddyfile`: the site …". */
  readonly named: string | null
}

export type GuideStep = GuideBlock &
  (
    | { readonly kind: 'file'; readonly path: string }
    | { readonly kind: 'run'; readonly expected: readonly string[] }
    | { readonly kind: 'other' }
  )

/** The blocks of code of a guide, in their order. */
export function blocksOf(markdown: string): GuideBlock[] {
  const blocks: GuideBlock[] = []
  let [section, named] = ['', null as string | null]
  let open: { language: string; line: number; lines: string[] } | null = null
  for (const [at, line] of markdown.split('\n').entries()) {
    const fence = /^```(\w*)\s*$/.exec(line)
    if (open !== null && fence !== null) {
      blocks.push({ language: open.language, section, line: open.line, text: `${open.lines.join('\n')}\n`, named })
      ;[open, named] = [null, null]
    } else if (open !== null) open.lines.push(line)
    else if (fence !== null) open = { language: fence[1] ?? '', line: at + 1, lines: [] }
    else {
      section = /^#+ (.+)$/.exec(line)?.[1] ?? section
      named = /^`([\w./-]+)`: /.exec(line)?.[1] ?? named
    }
  }
  return blocks
}

/** The file that a block is: its first line, or the second one below `#!`, is a comment that is a path alone. */
const pathIn = (text: string): string | null => /^(?:#!.*\n)?# (\/\S+)\n/.exec(text)?.[1] ?? null

/** What a reader of the guide does, in order. A block of text after commands is what they write. */
export function stepsOf(blocks: readonly GuideBlock[]): GuideStep[] {
  return blocks.flatMap((block, at): GuideStep[] => {
    const path = pathIn(block.text) ?? block.named
    if (path !== null) return [{ ...block, kind: 'file', path }]
    if (block.language === 'sh') {
      const next = blocks[at + 1]
      const isSaid = next?.language === 'text' && next.section === block.section && pathIn(next.text) === null
      return [{ ...block, kind: 'run', expected: isSaid ? next.text.trimEnd().split('\n') : [] }]
    }
    const before = blocks[at - 1]
    const isOutput = block.language === 'text' && before?.language === 'sh' && before.section === block.section
    return isOutput ? [] : [{ ...block, kind: 'other' }]
  })
}

/** The commands of a block, one each: a line that ends with a backslash goes on. */
export const commandsIn = (text: string): string[] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

/** Whether an output has the lines of a guide in their order: `…` is any text, and any space is as good as another. */
export function says(output: string, expected: readonly string[]): boolean {
  const patternOf = (line: string) =>
    line
      .trim()
      .split(/(…|\s+)/)
      .map((part) => {
        if (part === '…') return '.*'
        return part !== '' && part.trim() === '' ? '\\s+' : part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
      })
      .join('')
  return new RegExp(expected.map(patternOf).join('[^]*?')).test(output)
}

/** The steps of a guide of the documentation. */
export const readGuide = (path: string): GuideStep[] => stepsOf(blocksOf(readFileSync(path, 'utf8')))
