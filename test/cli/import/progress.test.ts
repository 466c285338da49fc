import { expect, test } from 'bun:test'
import type { Io } from '../../../cli/io.ts'
import { drawBar, showProgress } from '../../../cli/import/progress.ts'
import { createMessages } from '../../../cli/messages.ts'
import { jobOf } from './jobs.ts'

const streams = (terminal: { redraws: boolean } | null) => {
  const said: string[] = []
  const drawn: string[] = []
  const io: Io = {
    stdout: async () => {},
    ...createMessages(async (text) => void said.push(text), false),
    stdin: async () => new Uint8Array(),
    isTerminal: false,
    isInteractive: false,
    colour: { stdout: false, stderr: false },
    columns: 80,
    errorTerminal:
      terminal === null
        ? null
        : { columns: 60, redraws: terminal.redraws, draw: async (text) => void drawn.push(text) },
  }
  return { io, said, drawn }
}

const states = [
  jobOf('queued', null, 0),
  jobOf('running', 'parsing', 2),
  jobOf('running', 'parsing', 2),
  jobOf('completed', 'persisting', 8),
]

const shown = async (mode: 'auto' | 'bar' | 'json' | 'none', terminal: { redraws: boolean } | null, seen = states) => {
  const { io, said, drawn } = streams(terminal)
  const progress = showProgress(mode, io, { LANG: 'C.UTF-8' })
  for (const state of seen) progress.update(state)
  await progress.end()
  await io.flush()
  return { lines: said.map((line) => JSON.parse(line) as Record<string, unknown>), drawn }
}

test('a bar fits the terminal and says phase, share and time', () => {
  const style = { columns: 40, unicode: true, colour: false }
  expect(drawBar(jobOf('running', 'linting', 4), 1500, style)).toBe('linting    ████████░░░░░░░  50 % 1.5 s')
  expect(drawBar(jobOf('queued', null, 0), 0, { ...style, unicode: false })).toBe(
    'queued     ...............   0 % 0.0 s',
  )
  expect(drawBar(jobOf('running', 'linting', 4), 1500, { ...style, columns: 10 })).toBe('linting      50 % 1.5 s')
})

test('on a terminal a bar is drawn and taken away, and nothing else is said', async () => {
  const { lines, drawn } = await shown('auto', { redraws: true })
  expect(lines).toEqual([])
  expect(drawn.at(-1)).toBe('')
  expect(drawn.slice(0, -1).every((text) => text.length > 0 && !text.includes('\u001b[K'))).toBe(true)
})

test('elsewhere nothing is said, unless lines of JSON are asked for: one for each new state', async () => {
  expect(await shown('auto', null)).toEqual({ lines: [], drawn: [] })
  const { lines, drawn } = await shown('json', null)
  expect(drawn).toEqual([])
  expect(lines.map(({ event, status, phase, done, total }) => [event, status, phase, done, total])).toEqual([
    ['import.progress', 'queued', null, 0, 8],
    ['import.progress', 'running', 'parsing', 2, 8],
    ['import.progress', 'completed', 'persisting', 8, 8],
  ])
})

test('no progress on a terminal that cannot redraw, and none with --quiet', async () => {
  for (const [mode, terminal] of [
    ['auto', { redraws: false }],
    ['bar', null],
    ['none', { redraws: true }],
    ['none', null],
  ] as const)
    expect(await shown(mode, terminal)).toEqual({ lines: [], drawn: [] })
})
