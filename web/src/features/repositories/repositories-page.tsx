import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Page } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Tabs } from '../../shell/tabs.tsx'
import { AddRepository } from './add-repository.tsx'
import { LinkAccount } from './link-account.tsx'

/** The git repositories of an organization: the frame of its views. */
export const RepositoriesPage = ({ tenant }: { tenant: string }) => {
  const identity = useQuery(identityQuery)
  const { dialog, item, open, close } = useAddress()
  const may = holds(identity.data, tenant, 'repositories:edit')
  return (
    <Page
      title="Repositories"
      description="Git repositories whose API descriptions are imported, and imported again when they change."
      actions={
        may ? (
          <>
            <Button onClick={() => open('link')}>Link an account …</Button>
            <Button look="primary" onClick={() => open('new')}>
              Add a repository …
            </Button>
          </>
        ) : null
      }
    >
      <Tabs of="repositories" params={{ tenant }} />
      <Outlet />
      <Window open={dialog === 'new' && may} onClose={close} title="Add a repository">
        <AddRepository tenant={tenant} account={item ?? ''} onClose={close} />
      </Window>
      <Window open={dialog === 'link' && may} onClose={close} title="Link an account">
        <LinkAccount tenant={tenant} onClose={close} />
      </Window>
    </Page>
  )
}
