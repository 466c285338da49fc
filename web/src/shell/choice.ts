import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { holds, identityQuery } from '../session.ts'

/** One line of the command palette. */
export interface Choice {
  readonly id: string
  readonly group: string
  readonly name: string
  readonly detail?: string
  /** The service found it for the text, perhaps by other words than its name. */
  readonly found?: true
  readonly go: () => void
}

/** Whether the person may do what an action needs, in the organization of the page. */
export const useMay = () => {
  const { tenant = '' } = useParams({ strict: false })
  const identity = useQuery(identityQuery)
  return ({ permission }: { permission: Parameters<typeof holds>[2] }): boolean =>
    holds(identity.data, tenant, permission)
}
