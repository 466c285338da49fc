/** What the pages of webhooks say in each state of a subscription, and what they offer to which role. */
import { expect, test } from 'bun:test'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const hooks = '/app/t/acme/-/webhooks'
const buttons = () => on.page.locator('main').getByRole('button').allInnerTexts()
const notices = async (path: string): Promise<string[]> => {
  await on.go(path)
  await on.page.getByRole('list', { name: 'Deliveries' }).waitFor()
  return on.page.locator('main [role=status] > div > p:first-child').allInnerTexts()
}

test('each state has a notice: failing, paused, switched off by the service and why, off, events that did not arrive', async () => {
  const missed = '2 events did not arrive'
  expect(await notices(`${hooks}/w1`)).toEqual([missed])
  expect(await notices(`${hooks}/w2`)).toEqual(['Attempts are paused: five or more in a row failed', missed])
  expect(await notices(`${hooks}/w3`)).toEqual([
    'The service switched this subscription off: every attempt failed for five days',
  ])
  expect(await notices(`${hooks}/w4`)).toEqual([
    'The service switched this subscription off: the receiver answered 410 (Gone)',
  ])
  expect(await notices(`${hooks}/w5`)).toEqual(['This subscription is off: nothing is sent'])
})

test('an editor reads everything and is offered nothing that is refused', async () => {
  on.fake.state.role = 'editor'
  await on.go(hooks)
  await on.page.getByText('Changing subscriptions needs the role Owner or Admin.').waitFor()
  expect(await buttons()).toEqual([''])
  await on.go(`${hooks}?dialog=new`)
  await on.heading('https://hooks.example.com/w1')
  expect(await on.page.getByRole('dialog').count()).toBe(0)
  await on.go(`${hooks}/w3`)
  await on.page.getByText('Changing a subscription needs the role Owner or Admin.').waitFor()
  await on.page.getByRole('list', { name: 'Deliveries' }).waitFor()
  expect((await buttons()).filter((it) => /…|Switch|Send|Edit|More/.test(it))).toEqual([])
  await on.go(`${hooks}/w1/d3`)
  await on.page.getByRole('list', { name: 'Attempts' }).waitFor()
  expect(on.address()).toBe(`${hooks}/w1?delivery=d3`)
  expect((await buttons()).filter((it) => /…|Switch|Send|Edit|More/.test(it))).toEqual([])
  await on.go(`${hooks}/dead-letters`)
  await on.page.getByRole('list', { name: 'Dead letters' }).waitFor()
  expect((await buttons()).filter((it) => it !== '')).toEqual([])
})

test('without subscriptions the page explains them and leads into the form', async () => {
  on.fake.state.subscriptions = []
  await on.go(hooks)
  await on.heading('No subscriptions yet')
  await on.page.getByRole('button', { name: 'Create a subscription …' }).last().press('Enter')
  await on.heading('Create a subscription')
  await on.page.getByLabel('URL').fill('https://example.com/hook')
  await on.page.getByRole('radio', { name: /^With non-breaking/ }).check()
  await on.page.getByRole('radio', { name: /^Use my own/ }).check()
  await on.page.getByLabel('Secret', { exact: true }).fill('a secret of more than 24 bytes')
  await on.page.getByLabel('Send events').uncheck()
  await on.press('Create')
  await on.heading('https://example.com/hook')
  expect(on.sent('webhooks.create')).toEqual([
    {
      url: 'https://example.com/hook',
      signingSecret: 'a secret of more than 24 bytes',
      active: false,
      minSeverity: 'non-breaking',
    },
  ])
})

test('only what was changed is sent: null clears the filter', async () => {
  await on.go(`${hooks}/w1?dialog=edit`)
  await on.page.getByRole('radio', { name: /^All publications/ }).check()
  await on.press('Save')
  await on.closed('Edit the subscription')
  expect(on.sent('webhooks.update')).toEqual([{ minSeverity: null }])
})

test('a receiver is shown in the language of the address', async () => {
  await on.go(`${hooks}/signatures`)
  await on.page.getByRole('group', { name: 'Receiver in TypeScript' }).waitFor()
  for (const language of ['Python', 'Go', 'Java', 'Ruby']) {
    await on.press(language)
    await on.page.getByRole('group', { name: `Receiver in ${language}` }).waitFor()
    expect(on.address()).toEndWith(`?language=${language}`)
  }
})
