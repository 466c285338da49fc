import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { dayOf, daysUntil, exactly, relative } from '../../web/src/parts/time.ts'

const now = Date.parse('2026-11-22T12:00:00.000Z')

test('an instant is said by how far it is, beyond a week by its date', () => {
  const said = (at: string) => relative(at, now, 'en')
  expect([
    said('2026-11-22T11:59:30.000Z'),
    said('2026-11-22T11:15:00.000Z'),
    said('2026-11-22T03:00:00.000Z'),
    said('2026-11-21T11:00:00.000Z'),
    said('2026-11-18T11:00:00.000Z'),
    said('2026-11-24T12:00:00.000Z'),
    said('2026-11-01T12:00:00.000Z'),
  ]).toEqual(['now', '45 min. ago', '9 hr. ago', 'yesterday', '4 days ago', 'in 2 days', 'Nov 1, 2026'])
})

test('days are counted as days of UTC, so that a sunset of today is today in every zone', () => {
  expect([
    daysUntil('2026-11-22T23:59:59.000Z', now),
    daysUntil('2026-11-23T00:00:00.000Z', now),
    daysUntil('2026-11-21T23:59:59.000Z', now),
  ]).toEqual([0, 1, -1])
})

test('the day of a sunset is the same day in every zone; the instant on hover is that of the reader', async () => {
  const sunset = '2027-03-31T23:59:59.000Z'
  const code = `import { dayOf, exactly } from ${JSON.stringify(join(import.meta.dir, '../../web/src/parts/time.ts'))}
    console.log(dayOf('${sunset}', 'en') + ' | ' + exactly('${sunset}', 'en'))`
  const inZone = async (zone: string): Promise<string> => {
    const child = Bun.spawn([process.execPath, '-e', code], { env: { ...process.env, TZ: zone }, stdout: 'pipe' })
    return (await new Response(child.stdout).text()).trim()
  }
  expect(await Promise.all(['Europe/Berlin', 'America/Los_Angeles', 'Pacific/Auckland'].map(inZone))).toEqual([
    'Mar 31, 2027 | Apr 1, 2027, 01:59:59 AM GMT+2',
    'Mar 31, 2027 | Mar 31, 2027, 04:59:59 PM PDT',
    'Mar 31, 2027 | Apr 1, 2027, 12:59:59 PM GMT+13',
  ])
  expect(dayOf(sunset, 'en')).toBe('Mar 31, 2027')
  expect(exactly(sunset, 'en')).toContain('2027')
})
