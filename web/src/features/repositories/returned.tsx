import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { hintOf } from '../../parts/error-hint.ts'
import { Notice } from '../../parts/notice.tsx'
import type { LinkedAccount } from '../../../../src/api/linked-accounts.ts'
import { accountName } from './providers.ts'

const failures: Readonly<Record<string, string>> = {
  'account-authorization-expired': 'The authorization took longer than 10 minutes, or was begun in another session.',
  'account-authorization-refused': 'The provider did not authorize the service.',
  'account-token-refused': 'The authorization does not allow reading repositories.',
  'linked-account-exists': 'This account is linked already.',
  'permission-denied': 'Your role does not allow it.',
  'provider-failed': 'The provider did not answer.',
  'git-app-exists': 'The service has a GitHub App for this host already.',
  'git-app-installation-refused': 'You cannot read every repository that the App is installed for.',
}

/** Why a visit to a provider ended without a result; null for a code that is not known. */
export const failureOf = (code: string): string | null => failures[code] ?? hintOf(code)

/** What came of a visit to a provider, as the address says when the browser is back. */
export const Returned = ({
  accounts,
  linked,
  error,
}: {
  accounts: readonly LinkedAccount[]
  linked: string
  error: string
}) => {
  const { filter, open } = useAddress()
  const close = <Button onClick={() => filter({ linked_account: '', error: '' })}>Close</Button>
  if (error !== '')
    return (
      <Notice tone="danger" title="The account was not linked" actions={close}>
        <p>{failureOf(error)} Connect again.</p>
      </Notice>
    )
  const made = accounts.filter(({ id }) => linked.split(',').includes(id))
  if (made.length === 0) return null
  return (
    <Notice
      tone="info"
      title={`Linked: ${made.map(accountName).join(', ')}`}
      actions={
        <span className="flex flex-wrap gap-2">
          <Button look="primary" onClick={() => open('new', made[0]?.id)}>
            Add a repository …
          </Button>
          {close}
        </span>
      }
    />
  )
}
