import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { repositoriesApi } from '../../../../src/api/repositories.ts'
import {
  conflictPolicies,
  type ConflictPolicyToken,
  type RepositoryFile,
} from '../../../../src/api/repository-shapes.ts'
import { call } from '../../call.ts'
import { SelectField } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Failure } from '../../parts/states.tsx'
import { refreshRepositories } from '../git-providers/queries.ts'
import { policyQuery, type RepositoryAt, repositoryParams } from './queries.ts'
import { policyNames, policyOptions } from './words.ts'

/** Gives one file a conflict policy of its own; null: that of the repository. */
export const useFilePolicy = (at: RepositoryAt) =>
  useMutation({
    scope: { id: useId() },
    mutationFn: async (it: { branch: string; path: string; policy: ConflictPolicyToken | null }) => {
      await call(repositoriesApi.setFilePolicy, { params: repositoryParams(at), body: it })
      await refreshRepositories(at.tenant)
    },
  })

/** What happens to this file where it is edited here and in the repository. */
export const FilePolicy = ({
  at,
  file: { branch, path, conflict_policy: own },
  may,
}: {
  at: RepositoryAt
  file: RepositoryFile
  may: boolean
}) => {
  const policy = useQuery(policyQuery(at))
  const change = useFilePolicy(at)
  const chosen = policyOptions.find(({ value }) => value === (own ?? policy.data?.policy))
  return (
    <div className="card grid gap-3 p-4">
      <Read query={policy} what="the conflict policy">
        {(policy) => (
          <>
            {may ? (
              <SelectField
                label="If it is edited here and in the repository"
                hint={chosen?.detail}
                value={own ?? ''}
                options={[
                  { value: '', name: `As the repository: ${policyNames[policy.policy]}` },
                  ...policyOptions.map(({ value, name }) => ({ value, name })),
                ]}
                onChange={(next) =>
                  change.mutate({ branch, path, policy: conflictPolicies.find((one) => one === next) ?? null })
                }
              />
            ) : (
              <p className="text-sm">
                If it is edited here and in the repository: {policyNames[own ?? policy.policy]}. {chosen?.detail}
              </p>
            )}
            {change.error ? <Failure error={change.error} /> : null}
          </>
        )}
      </Read>
    </div>
  )
}
