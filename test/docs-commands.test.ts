/** Commands in the documentation exist, with the options and arguments that are shown. */
import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { globalOptions } from '../cli/globals.ts'
import { unshadowed } from '../cli/help.ts'
import { assign, parse } from '../cli/parse.ts'
import { registry } from '../cli/registry.gen.ts'
import { resolveCommand } from '../cli/tree.ts'

const root = join(import.meta.dir, '..')
const generated = /^docs\/(reference|changes|rules)\//

interface Line {
  readonly place: string
  readonly words: readonly string[]
}

/** The words of a shell line up to a pipe, a redirection or a comment; quoted words are one. */
const wordsOf = (line: string): string[] => {
  const words: string[] = []
  for (const [, plain, double, single] of line.matchAll(
    /(?:^|\s)(?:"([^"]*)"|'([^']*)'|([^\s"']+(?:"[^"]*"[^\s"']*)*))/g,
  )) {
    const word = plain ?? double ?? single ?? ''
    if (single !== undefined && /^([|&;]|#|\d?>)/.test(word)) break
    words.push(word.replaceAll('"', ''))
  }
  return words
}

const documented = async (): Promise<Line[]> => {
  const paths = ['README.md']
  for await (const path of new Bun.Glob('docs/**/*.md').scan({ cwd: root })) paths.push(path.replaceAll('\\', '/'))
  const lines: Line[] = []
  for (const path of paths.filter((it) => !generated.test(it)).sort()) {
    const text = await readFile(join(root, path), 'utf8')
    for (const [, block = ''] of text.matchAll(/```sh\n([\s\S]*?)```/g))
      for (const line of block.split('\n')) {
        const words = wordsOf(line)
        while (/^[A-Z_]+=/.test(words[0] ?? '')) words.shift()
        if (/^(dist\/)?svc$/.test(words[0] ?? ''))
          lines.push({ place: `${path}: ${line.trim()}`, words: words.slice(1) })
      }
  }
  return lines
}

test('every command line of the documentation can be read by the program', async () => {
  const lines = await documented()
  expect(lines.length).toBeGreaterThan(60)
  const wrong: string[] = []
  for (const { place, words } of lines) {
    // An ellipsis marks what the reader fills in.
    if (words.some((word) => word === '…' || word === '...')) continue
    const { name, ahead, rest } = await resolveCommand(words, registry)
    const command = await registry[name]?.load?.()
    if (words.some((word) => word === '--version' || word === '--help')) continue
    if (!command) {
      wrong.push(`${place}: there is no such command`)
      continue
    }
    try {
      const options = { ...Object.fromEntries(unshadowed(command.options)), ...command.options }
      parse(ahead, globalOptions)
      const parsed = parse(rest, options)
      assign(command.arguments, parsed.positionals, parsed.ahead)
    } catch (error) {
      wrong.push(`${place}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  expect(wrong).toEqual([])
})
