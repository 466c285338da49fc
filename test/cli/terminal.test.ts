/** One function writes to terminals: what it lets through, and that there is no other. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { forPeople, terminalWriter } from '../../cli/terminal.ts'

const root = new URL('../../', import.meta.url).pathname

test('colours stay where the stream takes them; nothing else is obeyed', () => {
  const red = '\u001b[31mred\u001b[39m'
  expect(forPeople(red, true)).toBe(red)
  expect(forPeople(red, false)).toBe('\ufffd[31mred\ufffd[39m')
  for (const colour of [true, false]) {
    expect(forPeople('a\u001b[2Jb\u001b]0;title\u0007c\rd\u202ee', colour)).toBe(
      'a\ufffd[2Jb\ufffd]0;title\ufffdc\ufffdd\ufffde',
    )
    expect(forPeople('a\r\nb\tc\n', colour)).toBe('a\nb\tc\n')
    expect(forPeople('x\n  ::error::y\n##[group]z ##vso[task.x]w', colour)).toBe(
      'x\n  : :error::y\n# #[group]z # #vso[task.x]w',
    )
    expect(forPeople('a::b std::vector\n:: not one', colour)).toBe('a::b std::vector\n:: not one')
  }
})

test('whatever is written, no control but colours, line breaks and tabs is left, and nothing is a command', () => {
  const piece = fc.constantFrom(
    '\u001b',
    '[2J',
    '[31m',
    '\u009b',
    '\r',
    '\n',
    '::',
    'error',
    '##',
    '[',
    'vso[',
    ' ',
    '\u202e',
    'é',
  )
  fc.assert(
    fc.property(
      fc.array(piece).map((it) => it.join('')),
      fc.boolean(),
      (text, colour) => {
        // oxlint-disable-next-line no-control-regex -- controls are what is looked for
        const left = forPeople(text, colour).replaceAll(colour ? /\u001b\[(?:\d{1,3})?m/g : /(?!)/g, '')
        // oxlint-disable-next-line no-control-regex -- controls are what is looked for
        expect(left).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
        if (!colour) expect(left).not.toMatch(/^\s*::[a-z]|##(?:vso)?\[/m)
      },
    ),
  )
})

test('bytes of a document are shown as its text, also where a piece ends within a character', () => {
  const write = terminalWriter(false)
  const bytes = new TextEncoder().encode('é\u001b[2J\u{1f600}')
  expect([...bytes].map((byte) => write(Uint8Array.of(byte))).join('')).toBe('é\ufffd[2J\u{1f600}')
})

/** Files that write to a stream themselves, each with the reason. */
const writers: Readonly<Record<string, string>> = {
  'cli/io.ts': 'the one writer: what it writes to a terminal goes through forPeople',
  'cli/main.ts': 'the version and the help, which are texts of svc',
  'cli/lsp/engine-process.ts': 'messages between processes',
  'cli/lsp/server.ts': 'the protocol of editors',
  'cli/mcp-server/observe.ts': 'a question, through forPeople',
  'cli/serve/run.ts': 'the log: a line of JSON for each entry',
  'commands/mcp/index.ts': 'the protocol of agents',
  'server/analysis/child.ts': 'messages between processes',
}

test('nothing else of the program writes to standard output or standard error', () => {
  const found = ['cli', 'commands', 'src', 'server', 'db', 'mcp'].flatMap((folder) =>
    [...new Bun.Glob(`${folder}/**/*.ts`).scanSync(root)].filter((file) => {
      const text = readFileSync(`${root}${file}`, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
      return /process\.(?:stdout|stderr)\b|\bconsole\.(?:log|error|warn|info|debug)\(|Bun\.(?:stdout|stderr)\b|from 'node:tty'/.test(
        text,
      )
    }),
  )
  expect(found.filter((file) => !file.startsWith('cli/lsp/desk')).toSorted()).toEqual(Object.keys(writers).toSorted())
})
