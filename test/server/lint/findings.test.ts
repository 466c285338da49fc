/** The lint report in parts: nothing is lost between the pages, and each finding comes with its lines. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { LintSummary, PlacedFinding } from '../../../src/api/lint-findings.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const yaml = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
servers: [{ url: https://pets.example/ }]
paths:
  /pets:
    get: { responses: { '200': { description: Pets } } }
    post: { responses: { '200': { description: Pets } } }
  /pets/{id}:
    get: { responses: { '200': { description: A pet } } }
`

onBothEngines('findings in pages', (makeDb) => {
  let it: PetsProject
  let whole: readonly PlacedFinding['finding'][]
  const report = '/v1/lint/local/catalog/pets/1.0.0'
  const read = async <T>(path: string): Promise<T> => (await it.send('GET', `${report}${path}`)).value as T
  const all = async (query: string): Promise<readonly PlacedFinding[]> => {
    const items: PlacedFinding[] = []
    for (;;) {
      const page = await read<{ items: PlacedFinding[]; total: number }>(
        `/findings?limit=3&offset=${items.length}${query}`,
      )
      items.push(...page.items)
      if (page.items.length === 0 || items.length === page.total) return items
    }
  }
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    await it.send('POST', '', { label: '1.0.0', content: yaml })
    whole = (await read<{ findings: PlacedFinding['finding'][] }>('')).findings
  })
  afterAll(() => it.service.stop())

  test('in the order of the text the pages are the report', async () => {
    expect(whole.length).toBeGreaterThan(5)
    expect((await all('&by=text')).map(({ finding }) => finding)).toEqual([...whole])
  })

  test.each(['rule', 'place'])('by %s they are the groups of the summary, one after the other', async (by) => {
    const { groups, total, matching, more_groups: more } = await read<LintSummary>(`/summary?by=${by}`)
    const findings = await all(`&by=${by}`)
    expect([total, matching, groups.reduce((sum, { count }) => sum + count, 0), more]).toEqual([
      whole.length,
      whole.length,
      whole.length,
      0,
    ])
    let from = 0
    for (const { name, count } of groups) {
      const own = findings.slice(from, (from += count)).map(({ finding }) => finding)
      if (by === 'rule') expect([...new Set(own.map(({ code }) => code))]).toEqual([name])
      expect(new Set(own.map(({ fingerprint }) => fingerprint)).size).toBe(count)
    }
    expect(findings.map(({ finding }) => finding.fingerprint).toSorted()).toEqual(
      whole.map(({ fingerprint }) => fingerprint).toSorted(),
    )
  })

  test('the lines around each come with it where they are asked for', async () => {
    const [first] = await all('&rule=oas3-server-trailing-slash&lines=true')
    expect(first?.excerpt).toEqual({
      first: 1,
      lines: yaml
        .split('\n')
        .slice(1, 4)
        .map((text) => ({ text, from: 0, length: text.length })),
    })
    expect((await all('')).map(({ excerpt }) => excerpt)).toEqual(whole.map(() => null))
  })

  test('filters narrow findings and counts, and the counts of severities say what another choice would leave', async () => {
    const errors = whole.filter(({ severity }) => severity === 'error')
    const atPets = whole.filter(({ pointer }) => pointer.startsWith('/paths/~1pets/get'))
    expect((await all('&severity=error&by=text')).map(({ finding }) => finding)).toEqual(errors)
    expect((await all(`&place=${encodeURIComponent('GET /pets')}&by=text`)).map(({ finding }) => finding)).toEqual(
      atPets,
    )
    const { matching, severities, places, total } = await read<LintSummary>(
      `/summary?severity=error&place=${encodeURIComponent('GET /pets')}`,
    )
    const of = (severity: string): number => atPets.filter((one) => one.severity === severity).length
    expect({ matching, severities, total }).toEqual({
      matching: of('error'),
      severities: { error: of('error'), warning: of('warning'), info: of('info'), hint: of('hint') },
      total: whole.length,
    })
    expect(places.items.find(({ name }) => name === 'GET /pets')?.count).toBe(atPets.length)
  })

  test('a document of one long line is cut around each place', async () => {
    const content = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'x'.repeat(5000), version: '2.0.0' },
      servers: [{ url: 'https://pets.example/' }],
      paths: {},
    })
    await it.send('POST', '', { label: '2.0.0', content })
    const { value } = await it.send(
      'GET',
      '/v1/lint/local/catalog/pets/2.0.0/findings?rule=oas3-server-trailing-slash&lines=true',
    )
    const [placed] = value['items'] as PlacedFinding[]
    const [line] = placed?.excerpt?.lines ?? []
    const { character } = placed?.finding.range.start ?? { character: 0 }
    expect(line).toEqual({ text: content.slice(-400), from: content.length - 400, length: content.length })
    expect(line?.text.slice(character - (line?.from ?? 0))).toStartWith('"https://pets.example/"')
  })

  test('what is not there is refused', async () => {
    expect(await it.brief('GET', '/v1/lint/local/catalog/pets/9.9.9/summary')).toBe('404 version-not-found')
    expect(await it.brief('GET', '/v1/lint/local/catalog/nothing/1.0.0/findings')).toBe('404 project-not-found')
    expect(await it.brief('GET', `${report}/findings?limit=201`)).toBe('422')
  })
})
