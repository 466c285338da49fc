/**
 * Compresses with the program gzip, without a name and a time. The runtime's own compression chooses by the processor what it looks for, so that two
 * machines would write different bytes.
 * @throws Error where gzip fails
 */
export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const child = Bun.spawn(['gzip', '-9n'], { stdin: bytes, stdout: 'pipe', stderr: 'pipe' })
  const [packed, message, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`gzip failed with exit code ${code}:\n${message.trim()}`)
  return packed
}
