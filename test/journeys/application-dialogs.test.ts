/** Every dialog, and moments that have no address: accessible in both themes and at 400 percent, and left with Escape. */
import { expect, test } from 'bun:test'
import { dialogs } from '../fixtures/web/application-routes.ts'
import { appearancesOf, openEveryPage, zoomed } from '../fixtures/web/every-page.ts'

const at = openEveryPage()

test.each(dialogs.map(([path, title], index) => [path, title, index] as const))(
  'the dialog %s is clean, takes the focus, and Escape leaves it',
  async (path, title, index) => {
    const { page } = at
    await at.clean(path, title, appearancesOf(index), '[role=dialog], [role=alertdialog]')
    const named = { name: title, exact: true }
    const dialog = page.getByRole('dialog', named).or(page.getByRole('alertdialog', named))
    expect(await dialog.evaluate((it) => it.contains(document.activeElement))).toBe(true)
    expect(await at.lengthen()).toEqual([])
    await page.keyboard.press('Escape')
    await page.locator('[role=dialog], [role=alertdialog]').waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('dialog=')
  },
  60_000,
)

test('a key that is shown once, the palette, the menus, and a refusal are clean', async () => {
  const { page } = at
  await at.look('/app/t/acme/-/keys?dialog=new', 'Create an API key')
  await page.getByLabel('Name').fill('laptop')
  await page.keyboard.press('Enter')
  await page.getByLabel('The key', { exact: true }).waitFor()
  expect(await at.faults()).toEqual([])
  await page.getByLabel('I have stored the key').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: /Create an MCP key/ }).waitFor()
  expect(await at.faults()).toEqual([])
  await page.keyboard.press('Escape')
  for (const menu of ['Account: Ada Lovelace', 'Organization: Acme']) {
    await page.getByRole('button', { name: menu }).click()
    await page.getByRole('menu').waitFor()
    // Around an open menu base-ui guards the focus with elements that axe takes for content.
    expect(await at.faults(undefined, '[role=menu]')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }
  const commands = page.getByRole('button', { name: 'Command line', exact: true })
  await commands.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Command line' }).waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Copy the command')
  expect(await at.faults(undefined, '[role=dialog]')).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await commands.evaluate((it) => it === document.activeElement)).toBe(true)
  at.fake.state.role = 'viewer'
  await at.look('/app/t/acme/-/keys', "You don't have access")
  expect(await at.faults()).toEqual([])
})

test('zoomed, the sections are behind a button', async () => {
  const { page } = at
  await page.setViewportSize(zoomed)
  await at.look('/app/t/acme', 'Projects')
  expect(await page.getByRole('navigation', { name: 'Sections' }).isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Sections' }).click()
  await page.getByRole('link', { name: 'Audit trail' }).click()
  await page.getByRole('heading', { name: 'Audit trail' }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Sections' }).isVisible()).toBe(false)
})
