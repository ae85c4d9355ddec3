import { isIP } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import ipaddr from 'ipaddr.js';
import proxyAddress from 'proxy-addr';

/** Bits of an IPv6 address that identify a visitor, because a visitor usually has a whole /64 network. */
const IPV6_PREFIX = 64;

/** Returns the network address under which a request is counted. */
export type ClientAddress = (context: { readonly env: unknown }) => string;

/** Returns whether a text is an address, or a range such as `10.0.0.0/8` or `uniquelocal`. */
export function isProxyRange(text: string): boolean {
  // The library would also accept `10`, as 0.0.0.10.
  if (!isIP(text.split('/')[0]!) && !/^(loopback|linklocal|uniquelocal)$/.test(text)) return false;
  try {
    proxyAddress.compile(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates the function that returns the network address of a request: the peer of the connection. Behind a trusted proxy,
 * it is the last hop of X-Forwarded-For that is not a trusted proxy. Anyone could have written the hops before that one.
 * IPv6 counts by /64, and an IPv4-mapped IPv6 address counts as IPv4. In-process requests share one address.
 *
 * @throws RangeError if a range is not valid.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const wrong = trustedProxies.find((range) => !isProxyRange(range));
  if (wrong !== undefined) throw new RangeError(`${JSON.stringify(wrong)} is not an address range.`);
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return ({ env }) => {
    const { incoming } = (env ?? {}) as Partial<HttpBindings>;
    if (!incoming) return 'in-process';
    const hops = proxyAddress.all(incoming, isTrusted);
    // If a hop is not an address, count the proxy that forwarded it.
    return networkOf(hops.findLast((hop) => isIP(hop)));
  };
}

/** Returns the network under which an address is counted: the /64 of an IPv6 address, or an IPv4 address itself. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : ipv6Network(parsed.toString(), IPV6_PREFIX);
}

/** Returns the wider network, with this prefix, that contains an IPv6 /64. Returns null for any other network. */
export function widerNetwork(network: string, prefix: number): string | null {
  const [address, bits] = network.split('/');
  return bits === `${IPV6_PREFIX}` ? ipv6Network(address!, prefix) : null;
}

function ipv6Network(address: string, prefix: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${prefix}`)}/${prefix}`;
}
