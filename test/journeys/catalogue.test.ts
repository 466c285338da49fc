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
  expect(await options('Owner')).toEqual(['Owner', 'payments (2)', 'find (1)'])
  expect(await options('Tag')).toEqual(['Tag', 'rest (2)', 'core (1)'])
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

const viewsButton = () => on.page.getByRole('button', { name: /^View: / })

test('a view is saved with its filter, opens the list as the default, is changed, and deleted', async () => {
  await on.go('/t/local?owner=payments&sort=name')
  await total('2 projects')
  await viewsButton().click()
  await on.page.getByRole('menuitem', { name: 'Save as a new view …' }).click()
  await on.page.getByLabel('Name', { exact: true }).fill('Ours')
  await on.page.getByLabel('Share it with the organization').check()
  await on.page.getByLabel('Open the list of projects with it').check()
  expect(await accessibilityFailures(on.page)).toEqual([])
  await on.press('Save')
  await on.page.waitForURL(/view=/)
  await on.go('/t/local')
  await on.page.waitForURL(/owner=payments/)
  expect(await viewsButton().innerText()).toBe('View: Ours')
  await total('2 projects')
  await on.page.getByRole('group', { name: 'Filters' }).getByLabel('Tag').selectOption('core')
  await total('1 project')
  expect(await viewsButton().innerText()).toBe('View: Ours (changed)')
  await viewsButton().click()
  await on.page.getByRole('menuitem', { name: 'Save the changes …' }).click()
  await on.press('Save the changes')
  await on.page.getByRole('button', { name: 'View: Ours', exact: true }).waitFor()
  const { items } = await on.ask('GET', '/v1/tenants/local/project-views')
  expect(
    (items as { name: string; visibility: string; filter: object; is_default: boolean }[]).map((one) => [
      one.name,
      one.visibility,
      one.filter,
      one.is_default,
    ]),
  ).toEqual([['Ours', 'shared', { owner: 'payments', sort: 'name', tag: 'core' }, true]])
  await viewsButton().click()
  await on.page.getByRole('menuitemradio', { name: 'All projects' }).click()
  await total('4 projects')
  expect(query()).toBe('?view=all')
  await on.page.goBack()
  await total('1 project')
  await viewsButton().click()
  await on.page.getByRole('menuitem', { name: 'Delete this view …' }).click()
  await on.press('Delete the view')
  await total('4 projects')
  expect([query(), await viewsButton().innerText()]).toEqual(['?view=all', 'View: All projects'])
})

test('rows are selected by keyboard, with Shift, and across filters; many are changed and deleted at once', async () => {
  await on.go('/t/local?sort=name')
  await total('4 projects')
  const tick = (name: string) => on.page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
  const bar = on.page.getByRole('region', { name: 'Selected projects' })
  await tick('Ledger').focus()
  await on.page.keyboard.press('Space')
  await bar.getByText('1 project selected').waitFor()
  for (const key of ['Enter', 'Enter']) await on.page.keyboard.press(key)
  await on.page.locator('[role=menuitem][data-highlighted]').getByText('Set the owner …').waitFor()
  await on.page.keyboard.press('Enter')
  await on.page.getByRole('dialog').getByRole('combobox', { name: 'Owner' }).waitFor()
  await on.page.keyboard.press('Escape')
  await on.page.getByRole('dialog').waitFor({ state: 'detached' })
  await on.page.waitForFunction(() => document.activeElement?.textContent === 'Actions')
  await tick('Search').click({ modifiers: ['Shift'] })
  await bar.getByText('3 projects selected').waitFor()
  expect(await accessibilityFailures(on.page)).toEqual([])
  await tick('Risk gateway').click()
  await on.page.getByLabel('Search projects').fill('bookshop')
  await total('1 project')
  await bar.getByText('2 projects selected').waitFor()
  await bar.getByRole('button', { name: 'Actions' }).click()
  await on.page.getByRole('menuitem', { name: 'Add tags …' }).click()
  await on.page.getByRole('combobox', { name: 'Tags' }).fill('Reviewed, fine')
  await on.press('Add the tags')
  await bar.getByText('2 projects changed.').waitFor()
  const tagged = await on.ask('GET', '/v1/tenants/local/projects?tag=reviewed&sort=name')
  expect((tagged['items'] as { slug: string }[]).map(({ slug }) => slug)).toEqual(['ledger', 'search'])
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await on.go('/t/local?tag=reviewed')
  await total('2 projects')
  await on.page.getByRole('checkbox', { name: 'Select all projects of this page' }).check()
  await bar.getByRole('button', { name: 'Actions' }).click()
  await on.page.getByRole('menuitem', { name: 'Delete …' }).click()
  const confirm = on.page.getByRole('button', { name: 'Delete 2 projects' })
  expect([await confirm.isDisabled(), await accessibilityFailures(on.page)]).toEqual([true, []])
  await on.page.getByLabel('Type "2" to confirm').fill('2')
  await confirm.click()
  await bar.getByText('2 projects deleted.').waitFor()
  await on.heading('No matches')
  const left = await on.ask('GET', '/v1/tenants/local/projects?sort=name')
  expect((left['items'] as { slug: string }[]).map(({ slug }) => slug)).toEqual(['bookshop', 'risk-gateway'])
})
