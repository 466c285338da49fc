/** The graph of who depends on what: its layout, and the page. */
import { expect, test } from 'bun:test'
import { around, linesOf, matching, rowsOf } from '../../web/src/features/dependencies/layout.ts'
import { dependencies } from '../fixtures/web/fake-dependencies.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const path = '/app/t/acme/-/dependencies'

test('nodes are in three columns by kind and name, lines between neighboring columns only', () => {
  const rows = rowsOf(dependencies.nodes)
  expect(rows.map((column) => column.map(({ kind, node }) => node?.name ?? `(${kind})`))).toEqual([
    ['(repository)', 'acme/specs', '(type)', 'svc:shop/Amount', 'svc:shop/Money'],
    ['(project)', 'Stations', 'Train Travel API'],
    ['(consumer)', 'Mobile app', '(environment)', 'Production'],
  ])
  expect(linesOf(rows, dependencies.edges).map(({ gap, left, right }) => [gap, left, right])).toEqual([
    [0, 1, 2],
    [0, 4, 2],
    [1, 2, 1],
    [1, 1, 1],
    [1, 1, 3],
  ])
  const near = around(dependencies.edges, 'type:t1')
  expect([[...near.nodes].sort(), near.edges.length]).toEqual([['project:train-travel', 'type:t1', 'type:t2'], 2])
  const found = matching(dependencies, 'STATIONS')
  expect(found.nodes.map(({ name }) => name)).toEqual(['Stations', 'Mobile app', 'Production'])
})

test('a name shows what it is connected to, with the fact and the page of each', async () => {
  await on.go(path)
  await on.press('Train Travel API')
  await on.heading('What Train Travel API is connected to')
  expect(on.address()).toBe(`${path}?node=project%3Atrain-travel`)
  const facts = on.page.getByRole('region', { name: 'Dependencies' }).locator('tbody tr')
  expect(await facts.locator('td:nth-child(3)').allInnerTexts()).toEqual([
    'binding to main, openapi.yaml',
    'version 2.0.0 refers to revision 3',
    'contract, revision 2',
  ])
  const contract = on.page.getByRole('link', { name: 'contract, revision 2' })
  expect(await contract.getAttribute('href')).toBe('/app/t/acme/train-travel/-/consumers/c1')
})

test('the names are searched, and the same facts are a table', async () => {
  await on.go(`${path}?view=table`)
  await on.page.getByText('7 names, 6 facts.').waitFor()
  expect(await on.page.getByRole('region', { name: 'Graph' }).count()).toBe(0)
  await on.page.getByLabel('Search names').fill('amount')
  await on.page.getByText('2 names, 1 fact.').waitFor()
  await on.page.getByLabel('Search names').fill('nothing like it')
  await on.press('Clear search')
  await on.page.getByText('7 names, 6 facts.').waitFor()
})
