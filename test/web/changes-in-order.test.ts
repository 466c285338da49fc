/** A change that follows another at once is neither lost nor overtaken: changes of one thing are sent one after the other. */
import { expect, test } from 'bun:test'
import { SvcError } from '../../src/errors.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const guide = '/app/t/acme/-/style-guides/g1'

/** Waits until an operation was called so often, and gives what was sent. */
const sent = async (id: string, times: number): Promise<unknown[]> => {
  for (let tries = 0; tries < 100 && on.sent(id).length < times; tries++) await Bun.sleep(50)
  return on.sent(id)
}

/** Holds the answers of an operation until the gate is opened. */
const hold = (id: string): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  on.fake.state.held.set(id, promise)
  return resolve
}

test('changes of a rule are all sent, in their order, and shown at once', async () => {
  await on.go(guide)
  const release = hold('style-guides.set-rule')
  await on.page.getByRole('switch', { name: 'On: info-contact' }).click()
  await on.page.getByLabel('Severity of info-contact').selectOption('hint')
  await on.page.getByRole('switch', { name: 'Off: info-contact' }).click()
  await on.page.getByRole('switch', { name: 'On: info-contact' }).waitFor()
  expect(await on.page.getByLabel('Severity of info-contact').inputValue()).toBe('hint')
  // The first is under way; the others wait for it.
  expect(on.sent('style-guides.set-rule')).toEqual([{ enabled: false }])
  release()
  expect(await sent('style-guides.set-rule', 3)).toEqual([{ enabled: false }, { severity: 'hint' }, { enabled: true }])
})

test('a change of a rule that is refused does not stop the next one', async () => {
  await on.go(guide)
  const release = hold('style-guides.set-rule')
  await on.page.getByRole('switch', { name: 'On: info-contact' }).click()
  await on.page.getByLabel('Severity of info-contact').selectOption('hint')
  on.fake.state.refusals.set('style-guides.set-rule', new SvcError('style-guide-read-only', { guide: 'House' }))
  release()
  await on.page.getByRole('alert').waitFor()
  expect(await sent('style-guides.set-rule', 2)).toEqual([{ enabled: false }, { severity: 'hint' }])
})

test('custom rules that are saved again while they are saved reach the service twice, the newest last', async () => {
  await on.go(`${guide}/custom-rules`)
  const editor = on.page.getByRole('textbox', { name: 'Custom rules' })
  await editor.click()
  await on.keys('Control+End')
  const release = hold('style-guides.put-custom-rules')
  await on.page.keyboard.type('# one')
  await on.page.getByRole('status').filter({ hasText: 'Unsaved changes' }).waitFor()
  await on.keys('Control+s')
  await on.page.keyboard.type(' two')
  await on.keys('Control+s')
  release()
  const yamls = (await sent('style-guides.put-custom-rules', 2)).map((it) =>
    (it as { yaml: string }).yaml.split('\n').at(-1),
  )
  expect(yamls).toEqual(['# one', '# one two'])
  await on.page
    .getByRole('status')
    .filter({ hasText: /^Saved/ })
    .waitFor()
})
