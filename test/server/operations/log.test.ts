import { clockOf } from '../../../db/clock.ts'
import { expect, test } from 'bun:test'
import { createLogger } from '../../../server/operations/log.ts'
import type { LogLevel } from '../../../server/settings/log-level.ts'

function capture(level: LogLevel) {
  const lines: string[] = []
  const clock = clockOf(() => Date.parse('2026-01-02T03:04:05.678Z'))
  return { logger: createLogger({ level, write: (line) => lines.push(line), clock }), lines }
}

test('every line is one JSON object with time, level, message and fields', () => {
  const { logger, lines } = capture('info')
  logger.with({ request_id: 'r1' }).info('two\nlines', { status: 200, level: 'forged', nothing: undefined })
  expect(lines).toEqual([
    '{"time":"2026-01-02T03:04:05.678Z","level":"info","message":"two\\nlines","request_id":"r1","status":200}\n',
  ])
})

test('levels below the chosen one are silent', () => {
  const heard = (level: LogLevel) => {
    const { logger, lines } = capture(level)
    for (const name of ['debug', 'info', 'warn', 'error'] as const) logger[name](name)
    return lines.length
  }
  expect((['debug', 'info', 'warn', 'error', 'silent'] as const).map(heard)).toEqual([4, 3, 2, 1, 0])
})

test('no secret reaches the log, by name or by shape', () => {
  const { logger, lines } = capture('info')
  const key = `svk_${'Hidden0'.repeat(6)}`
  const token = `eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJIaWRkZW4ifQ.SGlkZGVu`
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  logger.error(`key ${key}`, {
    headers: { Authorization: 'Hidden', 'X-Api-Key': 'Hidden', Cookie: 'Hidden', accept: 'text/plain' },
    password: 'Hidden',
    url: `https://me:Hidden@db.example/x?api_key=Hidden&page=2`,
    list: [`Bearer ${token}`, { client_secret: 'Hidden' }],
    error: new Error(`refused postgres://svc:Hidden@127.0.0.1/db`, { cause: new Error(`with ${token}`) }),
    setup: 'open /app/claim#token=svs_Hidden-Hidden_0',
    cyclic,
  })
  expect(lines.join('')).not.toMatch(/Hidden|SGlkZGVu/)
  const line = JSON.parse(lines[0] ?? '') as Record<string, unknown>
  expect(line).toMatchObject({
    message: 'key svk_[redacted]',
    headers: { accept: 'text/plain', Authorization: '[redacted]' },
    url: 'https://[redacted]@db.example/x?api_key=[redacted]&page=2',
    error: {
      name: 'Error',
      message: 'refused postgres://[redacted]@127.0.0.1/db',
      cause: { message: 'with [redacted]' },
    },
  })
})
