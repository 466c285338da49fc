import { type RegisteredRouter, useRouter } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { useMemo } from 'react'
import type { Permission } from '../../../src/api/permissions.ts'
import type { VersionRecord } from '../../../src/api/versions.ts'

/** Something that can be started from anywhere: a dialog of a page, or the page itself. */
export interface Action {
  readonly name: string
  readonly dialog?: string
  readonly permission: Permission
  /** Of a version: the statuses in which it is offered. */
  readonly statuses?: readonly VersionRecord['status'][]
}

/** What has tabs: each tab is a page of it. */
export type Subject =
  | 'project'
  | 'version'
  | 'consumer'
  | 'guide'
  | 'webhooks'
  | 'server'
  | 'types'
  | 'type'
  | 'repositories'
  | 'repository'
  | 'environment'

/** What a route says about itself for the sidebar, the tabs and the command palette. */
interface Navigation {
  /** Its place in the sidebar of an organization, which has at most eleven. */
  readonly section?: {
    readonly group: 'Catalogue' | 'Governance' | 'Organization'
    readonly name: string
    readonly icon: LucideIcon
    /** Needed to see it. */
    readonly permission: Permission
    /** It shows what guests see: the projects that they have a role on. */
    readonly forGuests?: true
    /** What its own page is called among the pages below it. */
    readonly first?: string
  }
  /** A page below a place in the sidebar. */
  readonly below?: {
    readonly section: 'Home' | 'Projects' | 'People and keys' | 'Settings'
    readonly name: string
    readonly permission: Permission
    /** It shows what guests see: the projects that they have a role on. */
    readonly forGuests?: true
    /** Whether it is about the service itself: only in the organization "local", whose owners run the service. */
    readonly isOfService?: boolean
    /** Whether the sidebar lists it while its section is open; otherwise a button or the palette leads to it. */
    readonly isListed: boolean
  }
  /** Its place among the tabs of one project, version, consumer, style guide, type or repository, or of the webhooks, types or repositories. */
  readonly tab?: {
    readonly of: Subject
    readonly name: string
  }
  readonly actions?: readonly Action[]
  /** What can be set on it, each a section with an anchor (`Section`). */
  readonly settings?: readonly { readonly name: string; readonly anchor: string }[]
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends Navigation {}
}

/** The address of an index route ends in a slash that no link has. */
type Path = Exclude<keyof RegisteredRouter['routesByPath'], `${string}/`>
/** The addresses that take an organization and nothing else. */
type OrganizationPath =
  | '/t/$tenant'
  | Exclude<Extract<Path, `/t/$tenant/-/${string}`>, `/t/$tenant/-/${string}$${string}`>

type BelowOf = NonNullable<Navigation['below']> & { readonly to: OrganizationPath }
type SectionOf = NonNullable<Navigation['section']> & {
  readonly to: OrganizationPath
  readonly below: readonly BelowOf[]
}

/** The organization whose owners run the service. */
const serviceTenant = 'local'

/** Whether an organization has a page. */
export const hasPage = (page: object, tenant: string): boolean =>
  !('isOfService' in page && page.isOfService === true) || tenant === serviceTenant

/** The names in an address, as "tenant project". */
const paramsOf = (to: string): string => Array.from(to.matchAll(/\$(\w+)/g), ([, name]) => name).join(' ')

const read = (router: RegisteredRouter) => {
  const routes = Object.values(router.routesById).map((it) => ({
    to: it.fullPath.replace(/(?<=.)\/$/, '') as Path,
    declared: it.options.staticData ?? {},
  }))
  const below = routes.flatMap(({ to, declared }): BelowOf[] =>
    declared.below ? [{ ...declared.below, to: to as OrganizationPath }] : [],
  )
  return {
    /** The places of the sidebar, in its order, each with the pages below it. */
    sections: routes.flatMap(({ to, declared: { section } }): SectionOf[] =>
      section
        ? [
            {
              ...section,
              to: to as OrganizationPath,
              below: below.filter((it) => it.section === section.name),
            },
          ]
        : [],
    ),
    /** What can be started from anywhere in an organization. */
    organizationActions: routes.flatMap(({ to, declared }) =>
      paramsOf(to) === 'tenant' ? (declared.actions ?? []).map((it) => ({ ...it, to: to as OrganizationPath })) : [],
    ),
    /** The pages below a page of the sidebar. */
    organizationTabs: routes.flatMap(({ to, declared }) =>
      declared.tab !== undefined &&
      declared.section === undefined &&
      declared.below === undefined &&
      paramsOf(to) === 'tenant'
        ? [{ name: declared.tab.name, to: to as OrganizationPath }]
        : [],
    ),
    /** What an address is about, where it is neither an organization, a project nor a version: its tabs, and what can be started there. */
    partsOf: (params: Readonly<Record<string, string | undefined>>) =>
      routes.filter(
        ({ to, declared }) =>
          declared.tab !== undefined &&
          !['project', 'version'].includes(declared.tab.of) &&
          paramsOf(to) !== 'tenant' &&
          paramsOf(to)
            .split(' ')
            .every((name) => params[name] !== undefined),
      ),
    /** What can be set in the organization and in the account. */
    settings: routes.flatMap(({ to, declared }) =>
      (declared.settings ?? []).map((it) => ({ ...it, to: to as OrganizationPath | '/account' })),
    ),
    /** What can be started with the project or the version of the page. */
    actionsOf: (subject: Subject) =>
      routes.flatMap(({ to, declared }) =>
        declared.tab?.of === subject ? (declared.actions ?? []).map((it) => ({ ...it, to })) : [],
      ),
    tabsOf: (subject: Subject) =>
      routes.flatMap(({ to, declared }) => (declared.tab?.of === subject ? [{ to, name: declared.tab.name }] : [])),
  }
}

/** What the routes say about themselves: nothing is listed a second time elsewhere. */
export const useNavigation = (): ReturnType<typeof read> => {
  const router = useRouter()
  return useMemo(() => read(router), [router])
}
