/** What a person chooses of a subscription: name, types, projects and kept answers; and sending a delivery that waits now. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Database } from '../../../db/database.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'
import { startSink, trustSinks } from '../../fixtures/sink.ts'

const base = '/v1/push-webhook-subscriptions/local'
const signingSecret = 'a text of at least 24 bytes that nobody can guess'
const hour = 3_600_000

const trust = trustSinks()
afterAll(() => trust.end())

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await Bun.sleep(20)
}

onBothEngines('choices of webhooks', (makeDb) => {
  let db: Database
  let it: PetsProject
  let status = 503
  let sink: ReturnType<typeof startSink>
  beforeAll(async () => {
    db = await makeDb()
    // The second attempt is far away: only a person makes it.
    it = await openPetsProject(db, { egressAllow: '127.0.0.0/8,::1/128', webhookSchedule: [0, hour, hour] })
    it.service.deps.wake()
    sink = startSink(() => new Response('<b>upstream is down</b>', { status }))
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await sink.stop()
  })
  const subscribe = async (more: object) => {
    const { status: code, value } = await it.send('POST', base, { signingSecret, ...more })
    expect([code, value]).toEqual([200, value])
    return value
  }

  test('they are set, changed and taken back; what is unknown is refused by name', async () => {
    const made = await subscribe({ url: 'https://example.com/chosen', name: ' Deploy hook ', projects: ['pets'] })
    const pets = { id: expect.any(String) as string, slug: 'pets', name: 'Pets' }
    expect(made).toMatchObject({ name: 'Deploy hook', eventTypes: null, projects: [pets], keepAnswers: false })
    const one = `${base}/${String(made['id'])}`
    const changed = { eventTypes: ['version.published', 'version.published'], keepAnswers: true }
    expect((await it.send('PATCH', one, changed)).value).toMatchObject({
      name: 'Deploy hook',
      eventTypes: ['version.published'],
      projects: [pets],
      keepAnswers: true,
    })
    expect([
      await it.brief('PATCH', one, { projects: ['none'] }),
      (await it.send('PATCH', one, { eventTypes: ['nothing'] })).status,
      (await it.send('PATCH', one, { eventTypes: [] })).status,
    ]).toEqual(['404 project-not-found', 422, 422])
    const cleared = { name: null, eventTypes: null, projects: null, keepAnswers: null }
    expect((await it.send('PATCH', one, cleared)).value).toMatchObject({ ...cleared, keepAnswers: true })
    await it.send('DELETE', one)
  })

  test('a delivery that waits is sent now, with what the receiver answered each time', async () => {
    const made = await subscribe({ url: sink.url, keepAnswers: true, eventTypes: ['version.published'] })
    const id = String(made['id'])
    const deliveries = async () =>
      (await it.send('GET', `${base}/${id}/deliveries`)).value['deliveries'] as { id: string; status: string }[]
    await it.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0') })
    await it.send('POST', '/1.0.0/publish')
    await it.send('POST', '/1.0.0/deprecate', { sunset_at: '2030-01-01T00:00:00.000Z' })
    await until(async () => (await deliveries()).some((one) => one.status === 'retrying'))
    // The deprecation is of a type that was not chosen.
    const [waiting, ...others] = await deliveries()
    expect(others).toEqual([])
    const path = `${base}/deliveries/${waiting?.id ?? ''}`
    const attemptsOf = async () =>
      (await it.send('GET', path)).value['attempts'] as { status_code: number; answer: string | null }[]
    status = 200
    expect((await it.send('POST', `${path}/redeliver`)).status).toBe(200)
    await until(async () => (await deliveries())[0]?.status === 'delivered')
    expect((await attemptsOf()).map((one) => [one.status_code, one.answer])).toEqual([
      [503, '<b>upstream is down</b>'],
      [200, '<b>upstream is down</b>'],
    ])
  })
})
