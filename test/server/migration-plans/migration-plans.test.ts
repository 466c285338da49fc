import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const order = (version: string, properties: object) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version },
    paths: {},
    components: { schemas: { Order: { type: 'object', properties }, Line: { type: 'object' } } },
  })
const text = { type: 'string' }

onBothEngines('migration plans', (makeDb) => {
  let it: PetsProject
  const base = '/v1/migration-plans/local'
  const pair = 'projectId=pets&fromVersionId=1.0.0&toVersionId=2.0.0'
  const put = (rules: unknown, className = 'Order', to = '2.0.0') =>
    it.send('PUT', base, {
      project_id: 'pets',
      from_version_id: '1.0.0',
      to_version_id: to,
      class_name: className,
      rules,
    })
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    await it.send('POST', '', { content: order('1.0.0', { name: text, total: text }) })
    await it.send('POST', '', {
      content: order('2.0.0', { first_name: text, last_name: text, total: { type: 'number' } }),
    })
  })
  afterAll(() => it.service.stop())

  test('rules are set, read, counted, replaced and taken away', async () => {
    const empty = await it.send('GET', `${base}?${pair}&className=Order`)
    expect([empty.status, empty.value.rules, empty.value.updated_at]).toEqual([200, {}, null])
    const rules = {
      'migration-edge-prop-total': { kind: 'type-change', source_property: 'total', expression: 'number(x)' },
    }
    const set = await put(rules)
    expect([set.status, set.value.rules, set.value.class_name]).toEqual([200, rules, 'Order'])
    expect((await it.send('GET', `${base}?${pair}&className=Order`)).value.rules).toEqual(rules)
    await put({ 'migration-edge-prop-a': {}, 'migration-edge-prop-b': {} }, 'Line')
    expect((await it.send('GET', `${base}/counts?${pair}`)).value).toEqual({ counts: { Line: 2, Order: 1 } })
    await put({}, 'Line')
    expect((await it.send('GET', `${base}/counts?${pair}`)).value).toEqual({ counts: { Order: 1 } })
    expect((await it.send('GET', `${base}/counts?${pair.replace('2.0.0', '1.0.0')}`)).value).toEqual({ counts: {} })
  })

  test('what cannot be is refused by name', async () => {
    const code = async (answer: Promise<{ status: number; value: { detail?: { code?: string } } }>) => {
      const { status, value } = await answer
      return `${status} ${value.detail?.code ?? ''}`.trim()
    }
    expect(await code(put({ total: {} }))).toBe('400 migration-rule-invalid')
    expect(await code(put({ 'migration-edge-prop-': {} }))).toBe('400 migration-rule-invalid')
    expect(await code(put({ 'migration-edge-prop-a': { source_property: 'b' } }))).toBe('400 migration-rule-invalid')
    expect(await code(put({ 'migration-edge-prop-a': 1 }))).toBe('422')
    expect(await code(put({}, 'Nothing'))).toBe('404 class-not-found')
    expect(await code(put({}, 'Order', '9'))).toBe('404 version-not-found')
    expect(await code(it.send('GET', `${base}?${pair}`))).toBe('422')
  })

  test('proposals come from what changed, and are accepted by setting them', async () => {
    const ask = async () =>
      (await it.send('GET', `${base}/proposals?${pair}`)).value.proposals as Record<
        string,
        { key: string; rule: Record<string, unknown>; accepted: boolean }[]
      >
    const before = await ask()
    expect(
      Object.entries(before).map(([name, all]) => [name, all.map((one) => [one.key, one.rule.kind, one.accepted])]),
    ).toEqual([
      [
        'Order',
        [
          ['migration-edge-prop-name', 'split', false],
          ['migration-edge-prop-total', 'type-change', true],
        ],
      ],
    ])
    await put(Object.fromEntries((before.Order ?? []).map((one) => [one.key, one.rule])))
    expect((await ask()).Order?.every((one) => one.accepted)).toBe(true)
  })
})
