<?php
/**
 * Stand-ins of the functions and classes of WordPress and WooCommerce that the plugin calls, as small as they can be. Reads the
 * state of a site and the steps of one request from stdin as JSON. Loads the plugin, runs the steps, and prints the new state of
 * the site as JSON.
 */

error_reporting( E_ALL );
set_error_handler( function ( $level, $message, $file, $line ) {
	throw new ErrorException( $message, 0, $level, $file, $line );
} );

define( 'ABSPATH', __DIR__ );
define( 'HOUR_IN_SECONDS', 3600 );
define( 'DAY_IN_SECONDS', 86400 );
$world             = json_decode( stream_get_contents( STDIN ), true );
$world            += array(
	'home'     => 'https://shop.example',
	'network'  => null,
	'answer'   => array( 'status' => 200, 'data' => array( 'isAllowed' => true, 'ask' => null ) ),
	'session'  => array(),
	'queue'    => array(),
	'cron'     => array(),
	'notes'    => array(),
);
$world['printed']  = array();
$world['requests'] = array();
$world['redirect'] = null;
$pagenow           = $world['screen'] . '.php';
$_COOKIE           = $world['cookies'];
$_GET              = $world['query'];
$hooks             = array();

function add_action( $name, $work, $priority = 10, $arguments = 1 ) {
	$GLOBALS['hooks'][ $name ][] = array( $work, $arguments );
}
function add_filter( ...$given ) {
	add_action( ...$given );
}
function do_action( $name, ...$given ) {
	foreach ( $GLOBALS['hooks'][ $name ] ?? array() as list( $work, $arguments ) ) {
		$work( ...array_slice( $given, 0, $arguments ) );
	}
}
function apply_filters( $name, $value, ...$given ) {
	foreach ( $GLOBALS['hooks'][ $name ] ?? array() as list( $work, $arguments ) ) {
		$value = $work( ...array_slice( array( $value, ...$given ), 0, $arguments ) );
	}
	return $value;
}
function register_activation_hook( $file, $work ) {
	add_action( 'activate', $work );
}
function register_deactivation_hook( $file, $work ) {
	add_action( 'deactivate', $work );
}
function register_uninstall_hook( $file, $work ) {
	if ( ! is_string( $work ) ) {
		throw new Exception( 'WordPress keeps the name of this function in its database.' );
	}
	add_action( 'uninstall', $work );
}

function esc_html( $text ) {
	return htmlspecialchars( $text, ENT_QUOTES );
}
function esc_attr( $text ) {
	return htmlspecialchars( $text, ENT_QUOTES );
}
function esc_url( $url ) {
	return htmlspecialchars( $url, ENT_QUOTES );
}
function esc_url_raw( $url ) {
	return $url;
}
function wp_json_encode( $value, $flags = 0 ) {
	return json_encode( $value, $flags );
}
/** Does what WordPress does with a theme of HTML5. */
function attributes( $attributes ) {
	$text = '';
	foreach ( $attributes as $name => $value ) {
		$text .= true === $value ? " $name" : sprintf( ' %s="%s"', esc_attr( $name ), esc_attr( $value ) );
	}
	return $text;
}
function wp_print_script_tag( $attributes ) {
	printf( "<script%s></script>\n", attributes( $attributes ) );
}
function wp_print_inline_script_tag( $code, $attributes = array() ) {
	printf( "<script%s>\n%s\n</script>\n", attributes( $attributes ), $code );
}
function wp_nonce_field( $action ) {
	printf( '<input type="hidden" name="_wpnonce" value="of %s">', esc_attr( $action ) );
}
function absint( $value ) {
	return abs( (int) $value );
}
function wp_unslash( $text ) {
	return stripslashes( $text );
}
function sanitize_text_field( $text ) {
	return trim( preg_replace( array( '/<[^>]*>/', '/%[a-f0-9]{2}/i', '/\s+/' ), array( '', '', ' ' ), $text ) );
}
function get_query_var( $name ) {
	return $GLOBALS['world']['query'][ $name ] ?? '';
}
function get_option( $name, $default = false ) {
	return $GLOBALS['world']['options'][ $name ] ?? $default;
}
function wp_load_alloptions() {
	return array( 'home' => $GLOBALS['world']['home'] );
}
function get_site_option( $name, $default ) {
	return 'active_sitewide_plugins' === $name && 'all' === $GLOBALS['world']['network'] ? array( 'orderbeacon.php' => 1 ) : $default;
}
function is_multisite() {
	return null !== $GLOBALS['world']['network'];
}
function plugin_basename( $file ) {
	return basename( $file );
}
function wp_parse_url( $url ) {
	return parse_url( $url );
}
function untrailingslashit( $text ) {
	return rtrim( $text, '/' );
}
function add_query_arg( $query, $url ) {
	return $url . '?' . implode( '&', array_map( fn( $name ) => "$name={$query[ $name ]}", array_keys( $query ) ) );
}
function wp_doing_ajax() {
	return false;
}
function wp_next_scheduled( $hook ) {
	return in_array( $hook, $GLOBALS['world']['cron'], true );
}
function wp_schedule_single_event( $time, $hook ) {
	$GLOBALS['world']['cron'][] = $hook;
}
function wp_clear_scheduled_hook( $hook ) {
	$GLOBALS['world']['cron'] = array_values( array_diff( $GLOBALS['world']['cron'], array( $hook ) ) );
}
function update_option( $name, $value ) {
	$GLOBALS['world']['options'][ $name ] = $value;
}
function delete_option( $name ) {
	unset( $GLOBALS['world']['options'][ $name ] );
}
function get_current_user_id() {
	return $GLOBALS['world']['user'];
}
function is_user_logged_in() {
	return 0 !== get_current_user_id();
}
function user_can( $user, $right ) {
	return in_array( $right, $GLOBALS['world']['rights'][ $user ] ?? array(), true );
}
function current_user_can( $right ) {
	return user_can( get_current_user_id(), $right );
}
function get_users( $query ) {
	return array_slice( array_keys( array_filter( $GLOBALS['world']['rights'] ) ), 0, $query['number'] );
}
function admin_url( $path ) {
	return "https://shop.example/wp-admin/$path";
}
function human_time_diff( $since ) {
	return ( time() - $since ) . ' seconds';
}
function check_admin_referer( $action ) {
	if ( ! $GLOBALS['world']['hasNonce'] ) {
		exit;
	}
}
function wp_get_referer() {
	return false;
}
function wp_safe_redirect( $url ) {
	$GLOBALS['world']['redirect'] = $url;
}
function is_wp_error( $value ) {
	return $value instanceof WP_Error;
}
function wp_remote_retrieve_response_code( $response ) {
	return is_wp_error( $response ) ? '' : $response['response']['code'];
}
function wp_remote_retrieve_body( $response ) {
	return is_wp_error( $response ) ? '' : $response['body'];
}
/** Sends nothing. The state of the site has the server's answer. */
function wp_safe_remote_post( $url, $request ) {
	$answer = apply_filters( 'pre_http_request', false, $request, $url );
	if ( false !== $answer ) {
		return $answer;
	}
	$GLOBALS['world']['requests'][] = array( 'url' => $url ) + array_intersect_key( $request, array( 'body' => 1, 'headers' => 1 ) );
	$answer                         = $GLOBALS['world']['answer'];
	return isset( $answer['unreachable'] ) ? new WP_Error( 'http', $answer['unreachable'] ) : array(
		'response' => array( 'code' => $answer['status'] ),
		'body'     => json_encode( array( 'data' => $answer['data'] ?? null ) ),
	);
}
class WP_Error {
	private $message;
	public function __construct( $code, $message ) {
		$this->message = $message;
	}
	public function get_error_message() {
		return $this->message;
	}
}

/** Makes the value for which a step's `{ "order": 723 }` or `{ "unreachable": "why" }` stands. */
function argument( $given ) {
	if ( isset( $given['order'] ) ) {
		return wc_get_order( $given['order'] );
	}
	return isset( $given['unreachable'] ) ? new WP_Error( 'http', $given['unreachable'] ) : $given;
}

if ( $world['hasWooCommerce'] ) {
	require __DIR__ . '/wooCommerce.php';
}
register_shutdown_function( function () {
	while ( ob_get_level() ) {
		$GLOBALS['world']['printed'][] = ob_get_clean();
	}
	echo json_encode( $GLOBALS['world'] );
} );
// A step that prints a filter's result.
add_action( 'filter', function ( ...$given ) {
	echo json_encode( apply_filters( ...$given ) );
}, 10, 9 );

// Code that the shop's owner has written into wp-config.php and the theme.
eval( $world['code'] );
ob_start();
require $world['plugin'];
$loading = ob_get_clean();
if ( '' !== $loading ) {
	throw new Exception( "The plugin prints while it is loaded: $loading" );
}
foreach ( $world['steps'] as $step ) {
	ob_start();
	do_action( array_shift( $step ), ...array_map( 'argument', $step ) );
	$world['printed'][] = ob_get_clean();
}
