/** The text of an engine's error as it may leave the machine: bounded, without values of requests. */

const longest = 2000

/**
 * @param output what the engine wrote
 * @param secrets texts that never appear, such as the key
 * @param folder of the agent, which is written as "DIR"
 */
export function errorText(output: string, secrets: readonly string[], folder: string): string {
  let text = output.slice(0, 100_000)
  for (const secret of secrets) if (secret.length >= 4) text = text.replaceAll(secret, '[redacted]')
  const lines = text
    // eslint-disable-next-line no-control-regex -- colours and other sequences of terminals
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .replaceAll(folder, 'DIR')
    .split(/\r?\n/)
    // nginx appends what the client asked for: ", client: 1.2.3.4, server: …, request: "GET /…"".
    .map((line) => line.replace(/, (?:client|request|upstream|referrer|host): .*$/, '').replace(/\?[^\s"']+/g, '?…'))
    .map((line) => line.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim())
    // Caddy reports each step as JSON; errors have another level.
    .filter((line) => line !== '' && !/^\{"level":"(?:debug|info|warn)"/.test(line))
  const whole = lines.join('\n')
  // The last lines say what was wrong; the first ones what was started.
  return whole.length <= longest ? whole : `…${whole.slice(whole.length - longest + 1)}`
}
