/** Where the pages of the documentation are: at addresses of a service, or as files of a folder. */

/**
 * The file of an address in a folder of static files, from its top: "/docs" is index.html, "/docs/guides/git#merges"
 * guides/git.html#merges, "/play" the playground.
 * @param address an address of a service; any other is given back
 */
export function fileOf(address: string): string {
  const [, top, path = '', fragment = ''] = /^\/(docs|play)(?:\/([^#]*))?(#.*)?$/.exec(address) ?? []
  if (top === undefined) return address
  if (top === 'play') return `play.html${fragment}`
  if (path === '') return `index.html${fragment}`
  return `${path}${/\.(svg|png|js|css|json|xml|txt|md)$/.test(path) ? '' : '.html'}${fragment}`
}

/** The way from a file of a folder to the folder itself: "guides/git.html" is one folder down, "../". */
export const wayUp = (file: string): string => '../'.repeat(file.split('/').length - 1)
