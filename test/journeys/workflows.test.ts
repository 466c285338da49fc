/** What is done by hand beside keys: publishing, editing drafts, members, settings, the audit trail, devices. */
import { describe, expect, test } from 'bun:test'
import { goodPassword } from '../fixtures/web/fake-answers.ts'
import { gates } from '../fixtures/web/fake-data.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const version = '/app/t/acme/train-travel/2.0.0'
const digest = `sha256:${'0'.repeat(64)}`

describe('publishing', () => {
  test('asks first and names the content it means', async () => {
    await on.go(version)
    await on.press('Publish …')
    await on.heading('Publish 2.0.0?')
    await on.page.getByRole('radio', { name: /Everyone/ }).check()
    await on.press('Publish')
    await on.closed('Publish 2.0.0?')
    expect(on.sent('versions.publish')).toEqual([{ visibility: 'public', expected_digest: digest }])
  })

  test('each gate leads to its evidence in the application', async () => {
    await on.go(version)
    const links = on.page.getByRole('link', { name: /the evidence for/ })
    await on.page.getByText('2 gates are met or not required').click()
    await links.nth(1).waitFor()
    expect(await links.evaluateAll((all) => all.map((it) => it.getAttribute('href')))).toEqual([
      `${version}/changes`,
      `${version}/findings`,
    ])
  })

  test('by force with a reason, with the permission; never with an invalid document', async () => {
    const failing = { id: 'lint-grade', status: 'fail', message: 'The lint grade is F.', evidence_url: null } as const
    on.fake.state.gates = [...gates, failing]
    await on.go(version)
    await on.heading('Not ready to publish')
    // What is not ready leads to what is missing.
    await on.press('Publish …')
    await on.page.waitForURL(/#gates$/)
    expect(await on.page.getByRole('dialog').count()).toBe(0)
    await on.press('Force publish …')
    await on.page.getByRole('alertdialog').getByText('The lint grade is F.').waitFor()
    await on.press('Force publish')
    expect(on.sent('versions.publish')).toEqual([])
    await on.page.getByLabel('Reason').fill('An incident needs it today.')
    await on.press('Force publish')
    await on.closed('Force publish 2.0.0?')
    expect(on.sent('versions.publish')).toEqual([
      { visibility: 'private', expected_digest: digest, force: true, force_reason: 'An incident needs it today.' },
    ])
    expect(on.address()).toBe(`${version}/published`)
    on.fake.state.gates = [{ ...failing, id: 'document-valid' }]
    await on.go(version)
    await on.heading('Not ready to publish')
    expect(await on.page.getByRole('button', { name: /Force publish/ }).count()).toBe(0)
    on.fake.state.gates = [failing]
    on.fake.state.role = 'editor'
    await on.page.reload()
    await on.page.getByText('An Owner or Admin can force publish it with a reason').waitFor()
    expect(await on.page.getByRole('button', { name: /Force publish/ }).count()).toBe(0)
  })

  test('deprecating says until when and what instead; retiring asks', async () => {
    await on.go('/app/t/acme/train-travel/1.1.0')
    await on.press('Deprecate …')
    await on.page.getByLabel('Served until').fill('2027-06-01')
    await on.press('Deprecate')
    await on.closed('Deprecate 1.1.0?')
    expect(on.sent('versions.deprecate')).toEqual([{ sunset_at: '2027-06-01T23:59:59.000Z', replacement: null }])
    await on.press('Retire …')
    await on.press('Retire')
    await on.closed('Retire 1.1.0?')
    expect(on.sent('versions.retire').length).toBe(1)
  })

  test('a deprecation is changed by the day it has, and withdrawn', async () => {
    await on.go('/app/t/acme/train-travel/1.0.0')
    await on.press('Change the deprecation …')
    await on.heading('Deprecation of 1.0.0')
    const before = await on.page.getByLabel('Served until').inputValue()
    expect(before).toBe('2027-06-01')
    await on.page.getByLabel('Served until').fill('2027-04-30')
    await on.press('Save')
    await on.closed('Deprecation of 1.0.0')
    expect(on.sent('versions.deprecate')).toEqual([{ sunset_at: '2027-04-30T23:59:59.000Z', replacement: null }])
    await on.press('Withdraw the deprecation …')
    await on.press('Withdraw')
    await on.closed('Withdraw the deprecation of 1.0.0?')
    expect(on.sent('versions.undeprecate').length).toBe(1)
  })

  test('addresses of views that are parts of others lead there', async () => {
    for (const [from, to] of [
      [`${version}/publishing?dialog=delete`, `${version}?dialog=delete`],
      [`${version}/provenance`, `${version}#origin`],
      [`${version}?operation=GET+%2Fstations`, `${version}/operations?operation=GET+%2Fstations`],
      ['/app/t/acme/train-travel/1.1.0/report', '/app/t/acme/train-travel/1.1.0/changes/report'],
    ] as const) {
      await on.go(from)
      await on.page.waitForURL((url) => url.href.endsWith(to))
    }
  })
})

describe('a draft', () => {
  const field = () => on.page.getByRole('textbox', { name: 'Document of the draft' })
  const save = () => on.page.getByRole('button', { name: 'Save the draft' })
  const saved = () => on.page.getByText('Saved', { exact: true }).waitFor()
  const write = async (text: string) => {
    await field().focus()
    await on.keys('Control+a')
    await on.page.keyboard.insertText(text)
  }

  test('is edited, checked as it is typed, fixed, and saved in place of what was read', async () => {
    await on.go(`${version}/source`)
    await on.page.getByRole('link', { name: 'Edit the draft' }).click()
    await on.page.getByText('Checked', { exact: true }).waitFor()
    expect(on.address()).toBe(`${version}/edit`)
    expect(await save().isDisabled()).toBe(true)
    await on.page.getByText('1 breaking change', { exact: false }).waitFor()
    await write('openapi: 3.1.0')
    await on.page.getByText('Unsaved changes').waitFor()
    await on.page.getByText('Checked', { exact: true }).waitFor()
    const [, asked] = on.sent('edits.check') as { edits: { text: string }[] }[]
    expect(asked?.edits.map(({ text }) => text)).toEqual(['openapi: 3.1.0'])
    await on.page.getByRole('button', { name: 'Findings 1' }).click()
    await on.press('Add a contact')
    await on.page.getByText('Fixed 1').waitFor()
    expect(on.sent('edits.fix')).toMatchObject([{ fingerprint: 'f1' }])
    await field().focus()
    await on.keys('Control+s')
    await saved()
    expect(on.fake.state.document).toBe('fixed openapi: 3.1.0')
    await on.press('Close')
    // A draft that changed is shown by what changed.
    await on.page.waitForURL(/\/changes$/)
    expect(on.address()).toBe(`${version}/changes`)
  })

  test('that another member changed meanwhile is never overwritten: both are merged with chosen sides', async () => {
    await on.go(`${version}/edit`)
    await write('mine')
    on.fake.state.document = 'theirs'
    await save().click()
    await on.page.getByRole('alertdialog', { name: 'Another user changed this document' }).waitFor()
    // Nothing is chosen for the person.
    expect(await on.page.getByRole('button', { name: 'Merge both' }).isDisabled()).toBe(true)
    await on.press('Take theirs')
    await on.press('Merge both')
    await on.page.getByText('Review the text, then save.').waitFor()
    expect(on.sent('edits.merge')).toMatchObject([{}, { theirs: ['/info/title'] }])
    expect(await field().innerText()).toBe('theirs, taken')
    expect(on.fake.state.document).toBe('theirs')
    await save().click()
    await saved()
    expect(on.fake.state.document).toBe('theirs, taken')
  })

  test('is not left with changes that were not saved without a question', async () => {
    await on.go(`${version}/source?edit=yes`)
    await write('changed')
    await on.press('Close')
    await on.heading('Discard your changes?')
    await on.press('Cancel')
    expect(await field().innerText()).toBe('changed')
    await on.press('Close')
    await on.press('Discard changes')
    await on.page.getByRole('link', { name: 'Overview' }).click()
    await on.page.getByRole('heading', { name: 'Origin' }).click()
    await on.page.getByText('1 conversion warning').click()
    await on.page.getByText('c0ffee').first().waitFor()
  })

  test('can be edited by its link only while it is a draft, and with the permission', async () => {
    await on.go('/app/t/acme/train-travel/1.1.0/edit')
    await on.page.getByText('Published versions cannot be edited').waitFor()
    on.fake.state.role = 'viewer'
    await on.go(`${version}/edit`)
    await on.page.getByText('Editing needs the role').waitFor()
    expect(await field().count()).toBe(0)
  })
})

describe('members', () => {
  test('a role is changed by choice and a button, suspending asks, the only Owner transfers before leaving', async () => {
    await on.go('/app/t/acme/-/members')
    const manage = async (name: string): Promise<void> => {
      await on.press('Manage Grace Hopper')
      await on.page.getByRole('menuitem', { name }).click()
    }
    await manage('Role …')
    await on.page.getByRole('radio', { name: /^Admin/ }).check()
    await on.press('Change role')
    await on.closed('Role of Grace Hopper')
    await manage('Reinstate')
    await manage('Remove …')
    await on.press('Remove')
    await on.closed('Remove Grace Hopper?')
    await on.press('Manage Ada Lovelace')
    await on.page.getByRole('menuitem').first().waitFor()
    expect(await on.page.getByRole('menuitem').allInnerTexts()).toEqual(['Role …'])
    await on.keys('Escape')
    // The only Owner cannot leave, and the page says what to do first.
    expect(await on.page.getByRole('button', { name: 'Leave …' }).count()).toBe(0)
    await on.page.getByRole('link', { name: 'Transfer ownership' }).click()
    await on.heading('Transfer ownership')
    expect(on.sent('members.update')).toEqual([{ role: 'admin' }, { status: 'active' }])
  })

  test('a link for a lost password is handed over', async () => {
    await on.go('/app/t/acme/-/members')
    await on.press('Manage Grace Hopper')
    await on.page.getByRole('menuitem', { name: 'Reset password …' }).click()
    await on.press('Create reset link')
    expect(await on.page.getByLabel('The link', { exact: true }).innerText()).toBe(
      `${on.fake.server.url.origin}/app/reset-password#token=reset-token`,
    )
    await on.press('Done')
    await on.closed('Reset the password of Grace Hopper')
  })

  test('an invitation is a link to hand over, and can be withdrawn', async () => {
    await on.go('/app/t/acme/-/members?dialog=invite')
    await on.page.getByLabel('E-mail address').fill('new@example.com')
    await on.page.getByRole('radio', { name: /^Viewer/ }).check()
    await on.keys('Enter')
    expect(await on.page.getByLabel('The link', { exact: true }).innerText()).toBe(
      `${on.fake.server.url.origin}/app/invitation#token=invitation-token`,
    )
    await on.press('Done')
    const withdrawn = on.page.waitForResponse((it) => it.request().method() === 'DELETE')
    await on.press(/^Withdraw/)
    await withdrawn
    expect(on.sent('invitations.create')).toEqual([{ email: 'new@example.com', role: 'viewer' }])
    expect(on.sent('invitations.delete').length).toBe(1)
  })
})

test('the audit trail is read in pages and by filters that are part of the address', async () => {
  await on.go('/app/t/acme/-/audit')
  await on.page.getByText('1–50 of 120').waitFor()
  await on.press('Next')
  await on.page.getByText('51–100 of 120').waitFor()
  await on.page.getByLabel('Show').selectOption('member.*')
  await on.page.getByText('40 events').waitFor()
  expect(on.address()).toBe('/app/t/acme/-/audit?action=member.*')
  await on.page.getByLabel('Who').selectOption('Grace Hopper')
  await on.page.getByText('20 events').waitFor()
  await on.page.getByTitle('Show only events about this').first().click()
  await on.page.getByText('120 events about Grace Hopper').waitFor()
  expect(on.address()).toBe('/app/t/acme/-/audit?target=u2')
  await on.page.getByLabel('Show').selectOption('version.*')
  await on.heading('No matches')
  await on.press('Clear search')
  await on.page.getByText('1–50 of 120').waitFor()
})

test('a tenant is deleted only after its name is typed', async () => {
  await on.go('/app/t/acme/-/settings?dialog=delete')
  await on.heading('Delete Acme?')
  const button = on.page.getByRole('button', { name: 'Delete the organization' })
  expect(await button.isDisabled()).toBe(true)
  await on.page.getByLabel('Type "acme" to confirm').fill('acme')
  await button.click()
  await on.closed('Delete Acme?')
  expect(on.sent('tenants.delete').length).toBe(1)
  on.fake.state.role = 'admin'
  await on.go('/app/t/acme/-/settings?dialog=delete')
  await on.page.getByLabel('Name of the organization').waitFor()
  expect(await on.page.getByText('Danger zone').count()).toBe(0)
  expect(await on.page.getByRole('dialog').count()).toBe(0)
})

test('the own password is changed on the own account', async () => {
  await on.go('/app/account')
  await on.page.getByLabel('Current password').fill(goodPassword)
  await on.page.getByLabel('New password').fill('another good password')
  await on.keys('Enter')
  await on.page.getByText('Password changed.').waitFor()
  expect(on.sent('auth.password')).toEqual([{ current_password: goodPassword, new_password: 'another good password' }])
})

test.each([
  ['Approve', 'Device authorized', { user_code: 'BCDF-GHJK', approve: true, tenant: 'acme' }],
  ['Deny', 'Request denied', { user_code: 'BCDF-GHJK', approve: false }],
] as const)('a device: the code is typed, looked at, and answered: %s', async (button, outcome, body) => {
  await on.go('/app/device')
  await on.page.getByLabel('Code').fill('WRON-GGGG')
  await on.keys('Enter')
  await on.page.getByText('Unknown or expired code').waitFor()
  await on.press('Enter another code')
  await on.page.getByLabel('Code').fill('BCDF-GHJK')
  await on.keys('Enter')
  await on.page.getByText('127.0.0.1').waitFor()
  expect(on.address()).toBe('/app/device?user_code=BCDF-GHJK')
  await on.press(button)
  await on.heading(outcome)
  expect(on.sent('app.device.decide')).toEqual([body])
})
