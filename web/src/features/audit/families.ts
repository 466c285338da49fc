import { auditActions } from '../../../../src/api/audit-actions.ts'

/** What events can be filtered by: every first word of an action, but `service`, of which no organization has events. */
export const families = [
  { value: '', name: 'All events' },
  { value: 'tenant.*', name: 'Organization' },
  { value: 'member.*', name: 'Members' },
  { value: 'team.*', name: 'Teams' },
  { value: 'invitation.*', name: 'Invitations' },
  { value: 'role-rule.*', name: 'Rules for groups' },
  { value: 'directory.*', name: 'Directory' },
  { value: 'scim-token.*', name: 'Tokens of the directory' },
  { value: 'api-key.*', name: 'API keys' },
  { value: 'agent-key.*', name: 'Agent keys' },
  { value: 'mcp-key.*', name: 'MCP keys' },
  { value: 'mcp-capabilities.*', name: 'Tools of MCP keys' },
  { value: 'trust.*', name: 'Trusted pipelines' },
  { value: 'project.*', name: 'Projects' },
  { value: 'project-view.*', name: 'Saved views' },
  { value: 'version.*', name: 'Versions' },
  { value: 'change-report.*', name: 'Change reports' },
  { value: 'compatibility.*', name: 'Compatibility evidence' },
  { value: 'consumer.*', name: 'Consumers' },
  { value: 'review.*', name: 'Reviews' },
  { value: 'style-guide.*', name: 'Style guides' },
  { value: 'primitive.*', name: 'Types' },
  { value: 'primitives.*', name: 'Imports of types' },
  { value: 'repository.*', name: 'Repositories' },
  { value: 'repository-hook.*', name: 'Webhooks of repositories' },
  { value: 'binding.*', name: 'Bindings' },
  { value: 'linked-account.*', name: 'Linked accounts' },
  { value: 'git-provider.*', name: 'Git providers' },
  { value: 'mcp-server.*', name: 'MCP servers' },
  { value: 'mcp-registry.*', name: 'MCP registry' },
  { value: 'environment.*', name: 'Gateway environments' },
  { value: 'enforcer.*', name: 'Gateways' },
  { value: 'release.*', name: 'Gateway releases' },
  { value: 'webhook.*', name: 'Webhooks' },
  { value: 'bin.*', name: 'Bin' },
  { value: 'chat.*', name: 'Chats' },
  { value: 'user.*', name: 'Users' },
] as const

/** What an action records, as a sentence; the action itself where this application does not know it. */
export const sentenceOf = (action: string): string =>
  action in auditActions ? auditActions[action as keyof typeof auditActions].replace(/\.$/, '') : action
