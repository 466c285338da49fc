import {
  BookCheck,
  Box,
  Braces,
  Building2,
  CircleHelp,
  Folder,
  GitBranch,
  Palette,
  PanelsTopLeft,
  PlugZap,
  Settings,
  Tag,
  TriangleAlert,
  User,
  Waypoints,
  Zap,
  type LucideIcon,
} from 'lucide-react'

/** By the group of a destination, or by what the name of the group begins with. */
const icons: readonly (readonly [group: string, icon: LucideIcon])[] = [
  ['Projects', Folder],
  ['Versions', Tag],
  ['Operations', Waypoints],
  ['Schemas', Braces],
  ['Types', Braces],
  ['Consumers', PlugZap],
  ['Style guides', BookCheck],
  ['Rules', BookCheck],
  ['Findings', TriangleAlert],
  ['Members', User],
  ['You', User],
  ['Repositories', GitBranch],
  ['Linked accounts', GitBranch],
  ['Organizations', Building2],
  ['Pages', PanelsTopLeft],
  ['Actions', Zap],
  ['Settings', Settings],
  ['Theme', Palette],
  ['Help', CircleHelp],
]

/** The icon of the kind of a destination; what belongs to the project of the page has a group of its name. */
export const ChoiceIcon = ({ group }: { group: string }) => {
  const [, Icon] = icons.find(([begin]) => group.startsWith(begin)) ?? ['', Box]
  return <Icon size={15} aria-hidden="true" className="shrink-0 self-center text-soft" />
}
