import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { tenantsApi } from '../../../../src/api/tenants.ts'
import { call } from '../../call.ts'
import { Switch } from '../../parts/choices.tsx'
import { Read } from '../../parts/listing.tsx'
import { Section } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { queryClient } from '../../query-client.ts'

const editingQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['editing-policy', tenant],
    queryFn: () => call(tenantsApi.editing, { params: { tenant_slug: tenant } }),
  })

/** Whether Editors edit all projects, or only those that are theirs. */
export const Editing = ({ tenant }: { tenant: string }) => {
  const policy = useQuery(editingQuery(tenant))
  const change = useMutation({
    mutationFn: (own: boolean) =>
      call(tenantsApi.setEditing, { params: { tenant_slug: tenant }, body: { editors_edit_own: own } }),
    onSuccess: (changed) => queryClient.setQueryData(editingQuery(tenant).queryKey, changed),
  })
  return (
    <Section title="Editors" anchor="editors">
      <Read query={policy} what="the setting">
        {({ editors_edit_own: own }) => (
          <div className="card grid max-w-xl gap-2 p-4">
            <p className="text-soft">
              Editors change only the projects on which they, or a team of theirs, are Editor or Owner. Elsewhere they
              read and comment. They still create projects and answer reviews.
            </p>
            <div className="-ml-2 flex flex-wrap items-center gap-x-2">
              <span className="ml-2 font-medium" aria-hidden="true">
                Editors edit what is theirs
              </span>
              <Switch
                label={own ? 'On' : 'Off'}
                of="Editors edit what is theirs"
                on={own}
                disabled={change.isPending}
                onChange={(on) => change.mutate(on)}
              />
            </div>
            {change.error ? <Failure error={change.error} /> : null}
          </div>
        )}
      </Read>
    </Section>
  )
}
