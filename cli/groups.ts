/** What belongs together among the commands of svc, in the order in which the help shows it. */

/** A part of the help of the program, with the first words of its commands. */
interface CommandGroup {
  readonly title: string
  readonly words: readonly string[]
}

const words = (text: string): readonly string[] => text.split(' ')

export const commandGroups: readonly CommandGroup[] = [
  { title: 'Documents', words: words('lint diff breaking bundle join overlay convert export run') },
  {
    title: 'Pipeline and editor',
    words: words('init check git watch explain stats can-i-deploy compat schema completion lsp'),
  },
  {
    title: 'Catalogue',
    words: words(
      'import project version view review thread change-report migration style-guide type consumer mcp-server repository binding portal bin',
    ),
  },
  {
    title: 'People',
    words: ['auth', 'account', 'key', 'trust', 'sign-in', 'user', 'member', 'team', 'tenant', 'notification'],
  },
  { title: 'Gateway', words: words('gateway') },
  { title: 'Service', words: words('serve worker mcp health doctor config backup storage secrets provider webhooks') },
]
