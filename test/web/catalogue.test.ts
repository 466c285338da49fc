/** The list of projects with the real service: words, facets, order; and what is known of a project beside its versions. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { accessibilityFailures } from '../fixtures/browser.ts'
import { openReal, type Real } from '../fixtures/web/real.ts'

let on: Real
beforeAll(async () => {
  on = await openReal()
  const create = (name: string, more: object) => on.ask('POST', '/v1/tenants/local/projects', { name, ...more })
  await create('Risk gateway', { owner: 'payments', tags: ['rest'], lifecycle: 'production' })
  await create('Ledger', { owner: 'payments', tags: ['rest', 'core'] })
  await create('Search', { owner: 'find' })
})
afterAll(async () => {
  expect(on.conduct).toEqual({ foreign: [], violations: [], errors: [] })
  await on.close()
})

const names = async (): Promise<string[]> => on.page.locator('tbody h2').allInnerTexts()
const total = (text: string) => on.page.getByText(text, { exact: true }).waitFor()
const query = (): string => new URL(on.page.url()).search

test('facets narrow the list and say how many projects each leaves; they are part of the address', async () => {
  await on.go('/t/local')
  await total('4 projects')
  const filters = on.page.getByRole('group', { name: 'Filters' })
  const options = (label: string) => filters.getByLabel(label).locator('option').allInnerTexts()
  expect(await options('Owner')).toEqual(['All', 'payments (2)', 'find (1)'])
  expect(await options('Tag')).toEqual(['All', 'rest (2)', 'core (1)'])
  await filters.getByLabel('Owner').selectOption('payments')
  await total('2 projects')
  expect(await names()).toEqual(['Ledger', 'Risk gateway'])
  await filters.getByLabel('Tag').selectOption('core')
  await total('1 project')
  expect(query()).toBe('?owner=payments&tag=core')
  expect(await accessibilityFailures(on.page)).toEqual([])
  await filters.getByRole('button', { name: 'Clear filters' }).click()
  await total('4 projects')
  expect(query()).toBe('')
})

test('columns order the list; words are found in any order', async () => {
  await on.go('/t/local')
  await on.press(/^Project/)
  await on.page.waitForURL(/sort=name/)
  await on.page.locator('tbody tr').first().getByText('Bookshop', { exact: true }).waitFor()
  expect(await names()).toEqual(['Bookshop', 'Ledger', 'Risk gateway', 'Search'])
  await on.page.getByLabel('Search projects').fill('gateway risk')
  await total('1 project')
  expect(await names()).toEqual(['Risk gateway'])
})

test('owner, lifecycle, tags and links of a project are edited, shown and lead to the others', async () => {
  await on.go('/t/local/search?dialog=edit')
  await on.page.getByLabel('Lifecycle (optional)').selectOption('deprecated')
  await on.page.getByLabel('Tags (optional)').fill('Core, old')
  await on.page.getByLabel('Links (optional)').fill('Run book https://example.com/run\nhttps://example.com')
  await on.press('Save')
  await on.page.getByRole('link', { name: /Run book/ }).waitFor()
  const project = await on.ask('GET', '/v1/tenants/local/projects/search')
  expect([project['owner'], project['lifecycle'], project['tags'], project['links']]).toEqual([
    'find',
    'deprecated',
    ['core', 'old'],
    [
      { title: 'Run book', url: 'https://example.com/run' },
      { title: null, url: 'https://example.com' },
    ],
  ])
  await on.page.getByRole('link', { name: '#core' }).click()
  await total('2 projects')
  expect(query()).toBe('?tag=core')
})
