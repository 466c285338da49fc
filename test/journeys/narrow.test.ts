/** On a telephone: every page of an organization begins near the top, whatever is above it. */
import { expect, test } from 'bun:test'
import { routes } from '../fixtures/web/application-routes.ts'
import { openEveryPage } from '../fixtures/web/every-page.ts'

const at = openEveryPage()

/** Where the first thing below the title and the tabs begins. */
const contentTop = (): Promise<number> =>
  at.page.evaluate(() => {
    const main = document.getElementById('main')
    if (main === null) return 0
    const isHead = (it: Element): boolean =>
      it.closest('[data-head]') !== null || it.querySelector('[data-head]') !== null
    const first = [...main.querySelectorAll('*')].find((it) => it.getBoundingClientRect().height > 1 && !isHead(it))
    return Math.round((first?.getBoundingClientRect().top ?? 0) + scrollY)
  })

test('the content of every page begins within 120 pixels at a width of 390', async () => {
  const late: string[] = []
  await at.page.setViewportSize({ width: 390, height: 844 })
  for (const [path, heading] of routes.filter(([path]) => path.startsWith('/app/t/'))) {
    await at.look(path, heading)
    const top = await contentTop()
    if (top > 120) late.push(`${path}: ${top}`)
  }
  expect(late).toEqual([])
}, 300_000)

test('what a page is about and what can be done with it is behind one button there', async () => {
  await at.page.setViewportSize({ width: 390, height: 844 })
  await at.look('/app/t/acme/-/webhooks', 'Webhooks')
  const about = at.page.getByText('Push the events of the organization', { exact: false })
  expect(await about.isVisible()).toBe(false)
  await at.page.getByRole('button', { name: 'About this page and its actions' }).click()
  await about.waitFor()
  // The main action stays in the bar, as a sign with a name.
  await at.page.getByRole('button', { name: 'Create a subscription …' }).first().click()
  await at.page.getByRole('dialog').waitFor()
  expect(await at.faults(['light'])).toEqual([])
}, 60_000)
