/** The lines of a document in pieces, with their places, marked where they changed. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const yaml = (version: string, summary: string, more = '') =>
  `openapi: 3.1.0\ninfo: { title: Pets, version: ${version} }\npaths:\n  /pets:\n    get:\n      summary: ${summary}\n${more}      responses: { '200': { description: Pets } }\n`

onBothEngines('lines', (makeDb) => {
  let it: PetsProject
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    await it.send('POST', '', { label: '1.0.0', content: yaml('1.0.0', 'All', '      deprecated: true\n') })
  })
  afterAll(() => it.service.stop())
  const lines = async (version: string, query = '') => (await it.send('GET', `/${version}/lines${query}`)).value

  test('a first version has nothing to differ from', async () => {
    const { base, total, changed, lines: items } = await lines('1.0.0')
    expect({ base, total, changed }).toEqual({ base: null, total: 9, changed: { lines: 0, places: 0 } })
    expect((items as unknown[]).slice(4, 7)).toEqual([
      { text: '    get:', length: 8, pointer: '/paths/~1pets/get', changed: false, removed: 0 },
      { text: '      summary: All', length: 18, pointer: '/paths/~1pets/get/summary', changed: false, removed: 0 },
      {
        text: '      deprecated: true',
        length: 22,
        pointer: '/paths/~1pets/get/deprecated',
        changed: false,
        removed: 0,
      },
    ])
  })

  test('a draft is compared with what is published, as its changes are', async () => {
    await it.send('POST', '/1.0.0/publish', { force: true, force_reason: 'A test' })
    await it.send('POST', '', { label: '1.1.0', content: yaml('1.1.0', 'All pets') })
    const { base, changed, total, limit, offset, lines: items } = await lines('1.1.0', '?offset=4&limit=3')
    expect({ base, changed, total, limit, offset }).toMatchObject({
      base: { label: '1.0.0' },
      changed: { lines: 2, places: 2 },
      total: 8,
      limit: 3,
      offset: 4,
    })
    expect(
      (items as { text: string; changed: boolean; removed: number }[]).map((one) => [
        one.text.trim().split(':')[0],
        one.changed,
        one.removed,
      ]),
    ).toEqual([
      ['get', false, 0],
      ['summary', true, 2],
      ['responses', false, 0],
    ])
    expect((await lines('1.1.0', '?offset=100'))['lines']).toEqual([])
  })

  test('a line of megabytes is cut, and says how long it is', async () => {
    const long = JSON.stringify({ openapi: '3.1.0', info: { title: 'x'.repeat(5000), version: '2' }, paths: {} })
    await it.send('POST', '', { label: '2.0.0', content: long })
    const { lines: items } = await lines('2.0.0')
    expect(items).toMatchObject([{ text: long.slice(0, 2000), length: long.length, pointer: '' }])
    expect(await it.brief('GET', '/2.0.0/lines?limit=501')).toBe('422')
    expect(await it.brief('GET', '/9/lines')).toBe('404 version-not-found')
  })
})
