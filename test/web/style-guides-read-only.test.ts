/** What a reader who may not change style guides sees of them, and what stands there when the service refuses. */
import { expect, test } from 'bun:test'
import { SvcError } from '../../src/errors.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const house = '/app/t/acme/-/style-guides/g1'

test('a viewer reads every view of a guide, sees why nothing can be changed, and has no buttons', async () => {
  on.fake.state.role = 'viewer'
  await on.go('/app/t/acme/-/style-guides')
  await on.heading('Custom guides')
  await on.page.getByRole('link', { name: 'House', exact: true }).click()
  await on.page.getByRole('heading', { name: 'operation-tags (opens in a new tab)', exact: true }).waitFor()
  const note = on.page.getByText('Read-only: editing style guides needs the role')
  await note.waitFor()
  const offered = on.page.locator('main').getByRole('button').or(on.page.locator('main').getByRole('switch'))
  const names = async (): Promise<string[]> =>
    (await offered.evaluateAll((all) => all.map((it) => it.getAttribute('aria-label') ?? it.textContent))).filter(
      (it) => /…|Save|Make|Assign|On|Off/.test(it) && !it.startsWith('Copy'),
    )
  expect(await names()).toEqual([])
  for (const [view, seen] of [
    ['Custom rules', 'Tab leaves the editor'],
    ['Assignments', 'Assigning needs the role'],
    ['Impact', 'Lints the newest version of 2 projects'],
    ['Policy', 'Publishing gates'],
    ['Snapshots', 'From snapshot 1 to snapshot 2'],
  ] as const) {
    await on.page.getByRole('link', { name: view, exact: true }).click()
    await on.page.getByText(seen).first().waitFor()
    await note.waitFor()
    expect([view, await names()]).toEqual([view, view === 'Policy' ? ['Save the policy'] : []])
  }
  await on.go(`${house}/policy`)
  expect(await on.page.getByRole('button', { name: 'Save the policy' }).isDisabled()).toBe(true)
  expect(await on.page.getByRole('radio', { name: /^Block / }).isDisabled()).toBe(true)
  await on.go(`${house}/custom-rules`)
  const editor = on.page.getByRole('textbox', { name: 'Custom rules' })
  await editor.click()
  await on.page.keyboard.type('x')
  expect(await editor.getAttribute('aria-readonly')).toBe('true')
  expect(await editor.innerText()).not.toContain('x:')
})

test('a rule that the service refuses to change goes back to what it was, and says why', async () => {
  on.fake.state.refusals.set(
    'style-guides.set-rule',
    new SvcError('rule-not-found', { rule: 'info-contact', guide: 'House' }),
  )
  await on.go(house)
  await on.page.getByRole('switch', { name: 'On: info-contact' }).click()
  await on.page.getByRole('alert').getByText('rule-not-found').waitFor()
  await on.page.getByRole('switch', { name: 'On: info-contact' }).waitFor()
})

test('what cannot be read says so, and can be tried again', async () => {
  on.fake.state.refusals.set('style-guides.list', new SvcError('internal', { request_id: 'r1' }))
  await on.go('/app/t/acme/-/style-guides')
  await on.page
    .getByRole('alert')
    .getByRole('link', { name: /^internal/ })
    .waitFor()
  on.fake.state.refusals.clear()
  await on.press('Try again')
  await on.heading('Custom guides')
  await on.go('/app/t/acme/-/style-guides/nobody')
  await on.page.getByRole('alert').getByText('style-guide-not-found').waitFor()
})
