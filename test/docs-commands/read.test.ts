/** Commands in the documentation exist, with the options and arguments that are shown. */
import { expect, test } from 'bun:test'
import { globalOptions } from '../../cli/globals.ts'
import { unshadowed } from '../../cli/help.ts'
import { assign, parse } from '../../cli/parse.ts'
import { registry } from '../../cli/registry.gen.ts'
import { resolveCommand } from '../../cli/tree.ts'
import { commandsOf, documentedBlocks, linesOf } from '../fixtures/documented-commands.ts'

test('every command line of the documentation can be read by the program', async () => {
  const shell = (await documentedBlocks()).filter(({ language }) => language === 'sh')
  const lines = shell.flatMap(({ page, text }) =>
    linesOf(text)
      .flatMap(commandsOf)
      .map(({ text: command, words }) => ({ place: `${page}: ${command}`, words })),
  )
  expect(lines.length).toBeGreaterThan(150)
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
