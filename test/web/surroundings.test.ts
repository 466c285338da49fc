/** Pages on paper, on a phone, and on plain http. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const version = '/app/t/acme/train-travel/2.0.0'

test('on a phone an operation takes the place of the list, which comes back where it was', async () => {
  await on.page.setViewportSize({ width: 390, height: 844 })
  await on.go(`${version}/operations`)
  const list = on.page.getByRole('region', { name: 'List of operations' })
  await list.getByRole('button', { name: /Create a booking/ }).click()
  await on.page.getByText('Request body, required').waitFor()
  expect(await list.isVisible()).toBe(false)
  const top = await on.page.getByRole('article').evaluate((it) => it.getBoundingClientRect().top)
  expect(top).toBeLessThan(844)
  await on.press('All operations')
  await list.getByRole('button', { name: /Create a booking/ }).waitFor()
  expect(await on.page.getByRole('article').count()).toBe(0)
})

test('a link to an operation scrolls the list to it, however far down it is', async () => {
  await on.go(`${version}/operations?operation=${encodeURIComponent('GET /resource-1100/{id}')}`)
  const row = on.page.getByRole('button', { name: /resource-1100/, pressed: true })
  await row.waitFor()
  const isInView = () =>
    row.evaluate((it) => {
      const [own, frame] = [it, it.closest('[role=region]') ?? it].map((one) => one.getBoundingClientRect())
      return own !== undefined && frame !== undefined && own.top >= frame.top && own.bottom <= frame.bottom
    })
  while (!(await isInView())) await Bun.sleep(20)
})

test('in the dark theme a page is printed on white, without navigation, filters and buttons, and whole by Ctrl+P', async () => {
  await on.alone()
  // A browser without a printer: what it would print stays on the screen.
  await on.page.addInitScript(() => {
    globalThis.print = () => void dispatchEvent(new Event('beforeprint'))
  })
  await on.page.emulateMedia({ colorScheme: 'dark' })
  await on.go(`${version}/operations`)
  await on.page.getByText('1,200 operations').waitFor()
  await on.page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await on.keys('Control+p')
  const rows = (name: string) => on.page.getByRole('list', { name, exact: true }).locator('> li')
  await rows('List of operations').nth(1199).waitFor()
  expect(await rows('List of operations').count()).toBe(1200)
  expect(await on.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light')
  for (const hidden of [
    on.page.getByRole('navigation', { includeHidden: true }).first(),
    on.page.locator('header').first(),
    on.page.getByLabel('Search operations'),
    on.page.getByRole('link', { name: /^Documentation/, includeHidden: true }).first(),
  ])
    expect(await hidden.isVisible()).toBe(false)
  expect(await on.page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)

  await on.page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await on.go(`${version}/findings`)
  await on.page.getByText('340 findings in 2 rules').waitFor()
  await on.keys('Control+p')
  // Two rules, and all of their findings.
  await rows('Findings').nth(341).waitFor()
  expect([await rows('Findings').count(), await rows('Findings').getByText('Loading …').count()]).toEqual([342, 0])
})

describe('on plain http, where a browser has no clipboard', () => {
  beforeEach(() => on.alone())
  const copied = (): Promise<unknown> => on.page.evaluate(() => (globalThis as { copied?: string }).copied)
  const without = (isAllowed: boolean) =>
    on.page.addInitScript((isAllowed) => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
      document.execCommand = () => {
        const field = document.activeElement as HTMLTextAreaElement
        if (isAllowed)
          Object.assign(globalThis, { copied: field.value.slice(field.selectionStart, field.selectionEnd) })
        return isAllowed
      }
    }, isAllowed)
  const createKey = async (): Promise<string> => {
    await on.go('/app/t/acme/-/keys?dialog=new')
    await on.page.getByLabel('Name').fill('laptop')
    await on.page.keyboard.press('Enter')
    return on.page.getByLabel('The key', { exact: true }).innerText()
  }

  test('a key that is shown once is copied all the same, and the focus stays', async () => {
    await without(true)
    const key = await createKey()
    const button = on.page.getByRole('button', { name: 'Copy the key' })
    await button.click()
    await on.page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await copied()).toBe(key)
    expect(await on.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Copied')
  })

  test('where copying is not allowed at all the page says what to do', async () => {
    await without(false)
    await createKey()
    await on.page.getByRole('button', { name: 'Copy the key' }).click()
    await on.page
      .getByRole('alert')
      .getByText('The browser does not allow copying here. Select the text and copy it.')
      .waitFor()
    expect(await copied()).toBeUndefined()
  })
})
