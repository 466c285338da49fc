/** What is deleted in the application can be undone at once, or restored from the bin. */
import { describe, expect, test } from 'bun:test'
import { SvcError } from '../../src/errors.ts'
import { accessibilityFailures } from '../fixtures/browser.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const messages = () => on.page.getByRole('region', { name: 'Messages' })
const rows = (): Promise<string[]> =>
  on.page
    .getByRole('main')
    .getByRole('button', { name: /^Restore / })
    .evaluateAll((all) => all.map((it) => it.getAttribute('aria-label') ?? ''))

describe('the message after a deletion', () => {
  test('offers to undo it, reached by keyboard, and stays while the page changes', async () => {
    on.fake.state.bin = on.fake.state.bin.map((it) => (it.id === 'b3' ? { ...it, id: 'w1' } : it))
    await on.go('/app/t/acme/-/webhooks/w1?dialog=delete')
    const dialog = on.page.getByRole('alertdialog')
    await dialog.waitFor()
    expect(await dialog.innerText()).toContain(
      'You can restore it for 30 days. Its deliveries and dead letters are not restored.',
    )
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await messages().getByText('The subscription of hooks.example.com was deleted').waitFor()
    expect(await accessibilityFailures(on.page)).toEqual([])
    await on.page.getByRole('link', { name: 'People and keys' }).click()
    await on.heading('Members')
    await on.keys('F6')
    await messages().getByRole('button', { name: 'Undo' }).press('Enter')
    await messages().getByText('The subscription of hooks.example.com was restored').waitFor()
    await messages().getByText('Its deliveries and dead letters are not restored.').waitFor()
    expect(on.sent('bin.restore')).toEqual([{}])
    expect(await messages().getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })

  test('says why where it cannot be undone any more', async () => {
    await on.go('/app/t/acme/-/webhooks/w1?dialog=delete')
    await on.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await messages().getByRole('button', { name: 'Undo' }).click()
    await messages().getByText('The bin has no entry "w1".').waitFor()
    // It is offered to who points at the message or has moved the focus into it.
    await messages().hover()
    await messages().getByRole('button', { name: 'Close' }).click()
    await messages().getByText('The bin has no entry "w1".').waitFor({ state: 'detached' })
  })
})

describe('the bin', () => {
  test('restores; where the name is taken it asks for another one', async () => {
    await on.go('/app/t/acme/-/bin')
    await on.heading('Bin')
    await on.page.getByText('old-fares').waitFor()
    expect((await rows()).slice(0, 3)).toEqual([
      'Restore old-fares',
      'Restore 2.0.0-rc.1',
      'Restore https://hooks.example.com/releases',
    ])
    await on.page.getByRole('button', { name: 'Restore 2.0.0-rc.1' }).press('Enter')
    await messages().getByText('The draft 2.0.0-rc.1 was restored').waitFor()
    await on.page.getByRole('button', { name: 'Restore old-fares' }).press('Enter')
    await on.heading('Restore old-fares under another name')
    expect(on.address()).toBe('/app/t/acme/-/bin?dialog=rename&item=b1')
    await on.page.getByLabel('Slug').fill('fares')
    await on.keys('Enter')
    await messages().getByText('The project fares was restored').waitFor()
    expect(on.sent('bin.restore')).toEqual([{}, {}, { as: 'fares' }])
    await on.page.getByRole('searchbox', { name: 'Search by name' }).fill('nothing')
    await on.heading('No matches')
    await on.press('Clear search')
    await on.page.getByLabel('Show').selectOption('webhook')
    await on.page.getByText(/^House_rules/).waitFor({ state: 'detached' })
    expect(await rows()).toEqual(['Restore https://hooks.example.com/releases'])
  })

  test('an Owner deletes permanently, one or all; Cancel has the focus', async () => {
    await on.go('/app/t/acme/-/bin')
    await on.press('Delete permanently …: 2.0.0-rc.1')
    await on.heading('Delete 2.0.0-rc.1 permanently?')
    await on.keys('Enter')
    await on.closed('Delete 2.0.0-rc.1 permanently?')
    expect(on.sent('bin.delete')).toEqual([])
    await on.press('Delete permanently …: 2.0.0-rc.1')
    await on.press('Delete permanently')
    await on.closed('Delete 2.0.0-rc.1 permanently?')
    expect(on.fake.state.bin.map(({ id }) => id)).toEqual(['b1', 'b3', 'b4'])
    await on.press('Empty the bin …')
    await on.press('Empty the bin')
    await on.heading('The bin is empty')
  })

  test('an editor restores and deletes nothing permanently; a viewer has no such page', async () => {
    on.fake.state.role = 'editor'
    await on.go('/app/t/acme/-/bin')
    await on.page.getByText('old-fares').waitFor()
    expect(await on.page.getByRole('button', { name: /permanently|Empty/ }).count()).toBe(0)
    on.fake.state.role = 'viewer'
    on.fake.state.refusals.set('bin.list', new SvcError('permission-denied', { permission: 'versions:edit' }))
    await on.go('/app/t/acme/-/bin')
    await on.heading("You don't have access")
    expect(await on.page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Bin' }).count()).toBe(
      0,
    )
  })
})
