import {
  Bot,
  ChartNoAxesColumn,
  FolderTree,
  GitCompareArrows,
  KeyRound,
  type LucideIcon,
  Plug,
  ScrollText,
  Settings,
  Ruler,
  Upload,
  Users,
} from 'lucide-react'
import type { Permission } from '../../../src/api/permissions.ts'
import type { VersionRecord } from '../../../src/api/versions.ts'

/** A page of a tenant, as the sections and the command palette name it. */
export interface Destination {
  readonly to: TenantPath
  readonly name: string
  readonly icon: LucideIcon
  /** Needed to see it. */
  readonly permission: Permission
}

export type TenantPath =
  | '/t/$tenant'
  | '/t/$tenant/-/import'
  | '/t/$tenant/-/style-guides'
  | '/t/$tenant/-/compare'
  | '/t/$tenant/-/members'
  | '/t/$tenant/-/keys'
  | '/t/$tenant/-/agents'
  | '/t/$tenant/-/mcp'
  | '/t/$tenant/-/usage'
  | '/t/$tenant/-/audit'
  | '/t/$tenant/-/settings'

/** All pages of a tenant, in the groups that the sections show. */
export const sections: readonly { readonly name: string; readonly pages: readonly Destination[] }[] = [
  {
    name: 'Catalogue',
    pages: [
      { to: '/t/$tenant', name: 'Projects', icon: FolderTree, permission: 'projects:view' },
      { to: '/t/$tenant/-/import', name: 'Import', icon: Upload, permission: 'projects:create' },
      { to: '/t/$tenant/-/compare', name: 'Compare', icon: GitCompareArrows, permission: 'versions:view' },
    ],
  },
  {
    name: 'Governance',
    pages: [{ to: '/t/$tenant/-/style-guides', name: 'Style guides', icon: Ruler, permission: 'style_guides:view' }],
  },
  {
    name: 'Access',
    pages: [
      { to: '/t/$tenant/-/members', name: 'Members', icon: Users, permission: 'projects:view' },
      { to: '/t/$tenant/-/keys', name: 'API keys', icon: KeyRound, permission: 'api_keys:view' },
      { to: '/t/$tenant/-/agents', name: 'Agent keys', icon: Bot, permission: 'api_keys:view' },
      { to: '/t/$tenant/-/mcp', name: 'MCP keys', icon: Plug, permission: 'mcp:govern' },
    ],
  },
  {
    name: 'Tenant',
    pages: [
      { to: '/t/$tenant/-/usage', name: 'Plan and usage', icon: ChartNoAxesColumn, permission: 'billing:view' },
      { to: '/t/$tenant/-/audit', name: 'Audit trail', icon: ScrollText, permission: 'members:edit' },
      { to: '/t/$tenant/-/settings', name: 'Settings', icon: Settings, permission: 'projects:view' },
    ],
  },
]

/** What can be begun from anywhere: each is a dialog with an address of its own. */
export const actions: readonly {
  readonly name: string
  readonly to: TenantPath
  readonly dialog: string
  readonly permission: Permission
}[] = [
  { name: 'Create a project', to: '/t/$tenant', dialog: 'new', permission: 'projects:create' },
  { name: 'Create a style guide', to: '/t/$tenant/-/style-guides', dialog: 'new', permission: 'style_guides:edit' },
  { name: 'Create an API key', to: '/t/$tenant/-/keys', dialog: 'new', permission: 'api_keys:create' },
  { name: 'Create an agent key', to: '/t/$tenant/-/agents', dialog: 'new', permission: 'api_keys:create' },
  { name: 'Create an MCP key', to: '/t/$tenant/-/mcp', dialog: 'new', permission: 'mcp:govern' },
  {
    name: 'Set the ceiling and defaults of MCP keys',
    to: '/t/$tenant/-/mcp',
    dialog: 'capabilities',
    permission: 'mcp:govern',
  },
  { name: 'Hand the tenant over', to: '/t/$tenant/-/settings', dialog: 'transfer', permission: 'tenant:transfer' },
  { name: 'Delete the tenant', to: '/t/$tenant/-/settings', dialog: 'delete', permission: 'tenant:delete' },
  { name: 'Invite somebody', to: '/t/$tenant/-/members', dialog: 'invite', permission: 'members:edit' },
]

/** What can be begun in the project one is in. */
export const projectActions: readonly {
  readonly name: string
  readonly dialog: string
  readonly permission: Permission
}[] = [
  { name: 'New draft', dialog: 'draft', permission: 'versions:edit' },
  { name: 'Edit the project', dialog: 'edit', permission: 'projects:edit' },
  { name: 'Delete the project', dialog: 'delete', permission: 'projects:delete' },
]

/** What can be begun with the version one is in, as far as its status lets it. */
export const versionActions: readonly {
  readonly name: string
  readonly dialog: string
  readonly permission: Permission
  readonly statuses: readonly VersionRecord['status'][]
}[] = [
  { name: 'Publish', dialog: 'publish', permission: 'versions:publish', statuses: ['draft'] },
  { name: 'Publish by force', dialog: 'force', permission: 'versions:publish_force', statuses: ['draft'] },
  { name: 'Delete the draft', dialog: 'delete', permission: 'versions:edit', statuses: ['draft'] },
  {
    name: 'Change who reads it',
    dialog: 'visibility',
    permission: 'versions:publish',
    statuses: ['published', 'deprecated', 'retired'],
  },
  { name: 'Deprecate', dialog: 'deprecate', permission: 'versions:publish', statuses: ['published'] },
  { name: 'Retire', dialog: 'retire', permission: 'versions:publish', statuses: ['published', 'deprecated'] },
]

/** The views of a project. */
export const projectViews = [
  { to: '/t/$tenant/$project', name: 'Versions' },
  { to: '/t/$tenant/$project/-/consumers', name: 'Consumers' },
  { to: '/t/$tenant/$project/-/migration', name: 'Migration rules' },
] as const

/** The views of a consumer. */
export const consumerViews = [
  { to: '/t/$tenant/$project/-/consumers/$consumer', name: 'Contract' },
  { to: '/t/$tenant/$project/-/consumers/$consumer/declare', name: 'Declare' },
  { to: '/t/$tenant/$project/-/consumers/$consumer/revisions', name: 'Revisions' },
  { to: '/t/$tenant/$project/-/consumers/$consumer/impact', name: 'Impact' },
] as const

/** The views of a version. */
export const versionViews = [
  { to: '/t/$tenant/$project/$version', name: 'Operations' },
  { to: '/t/$tenant/$project/$version/findings', name: 'Lint' },
  { to: '/t/$tenant/$project/$version/changes', name: 'Changes' },
  { to: '/t/$tenant/$project/$version/report', name: 'Change report' },
  { to: '/t/$tenant/$project/$version/source', name: 'Source' },
  { to: '/t/$tenant/$project/$version/provenance', name: 'Provenance' },
  { to: '/t/$tenant/$project/$version/publishing', name: 'Publishing' },
] as const

/** The views of a style guide. */
export const guideViews = [
  { to: '/t/$tenant/-/style-guides/$guide', name: 'Rules' },
  { to: '/t/$tenant/-/style-guides/$guide/custom-rules', name: 'Custom rules' },
  { to: '/t/$tenant/-/style-guides/$guide/assignments', name: 'Assignments' },
  { to: '/t/$tenant/-/style-guides/$guide/impact', name: 'Impact' },
  { to: '/t/$tenant/-/style-guides/$guide/policy', name: 'Policy' },
  { to: '/t/$tenant/-/style-guides/$guide/packs', name: 'Packs' },
] as const
