<?php
/**
 * Plugin Name: Orderbeacon
 * Description: Reports each paid order of WooCommerce to Orderbeacon, by the shop's pages and by a signed webhook.
 * Version: {{version}}
 * Requires at least: 6.2
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 8.0
 * License: MIT
 * Update URI: false
 *
 * Keep this file as you keep a password: it contains the secret that the webhook is signed with.
 */

defined( 'ABSPATH' ) || exit;

const ORDERBEACON_URL             = '{{url}}';
const ORDERBEACON_TEAM            = '{{team}}';
const ORDERBEACON_SOURCE          = '{{source}}';
const ORDERBEACON_SECRET          = '{{secret}}';
const ORDERBEACON_ORDER_ID_PREFIX = '{{prefix}}';
/** Keeps calls of track() until the script has loaded. */
const ORDERBEACON_STUB = '{{stub}}';

/** Wraps a hook, so that no fault of this plugin breaks a page, a checkout or the admin. */
function orderbeacon_guard( callable $work ) {
	return function ( ...$given ) use ( $work ) {
		try {
			$work( ...$given );
		} catch ( Throwable $fault ) {
			error_log( 'Orderbeacon: ' . $fault->getMessage() . ' in line ' . $fault->getLine() );
		}
	};
}

add_action( 'before_woocommerce_init', orderbeacon_guard( function () {
	foreach ( array( 'custom_order_tables', 'cart_checkout_blocks' ) as $feature ) {
		\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( $feature, __FILE__, true );
	}
} ) );

// The tag, on every page.
add_action( 'wp_head', orderbeacon_guard( function () {
	$tag = array(
		'async'         => true,
		'src'           => ORDERBEACON_URL . '/sdk/track.js',
		'data-team-id'  => ORDERBEACON_TEAM,
		'data-endpoint' => ORDERBEACON_URL,
	);
	if ( apply_filters( 'orderbeacon_ask_first', defined( 'ORDERBEACON_ASK_FIRST' ) && ORDERBEACON_ASK_FIRST ) ) {
		$tag['data-visitor'] = 'off';
		// A plugin for consent may call track() before the script has loaded.
		wp_print_inline_script_tag( ORDERBEACON_STUB );
	}
	wp_print_script_tag( $tag );
} ) );

// WooCommerce calls this where it shows the order, after it has checked who looks.
add_action( 'woocommerce_thankyou', orderbeacon_guard( function ( $order_id ) {
	orderbeacon_report( wc_get_order( $order_id ) );
} ) );

// Some ways to pay lead back to the page on which the order was paid. Of a paid order WooCommerce does not check there who looks,
// so this does: the key, the customer, and the time, because links are kept and handed on.
add_action( 'after_woocommerce_pay', orderbeacon_guard( function () {
	$order = wc_get_order( absint( get_query_var( 'order-pay' ) ) );
	$key   = isset( $_GET['key'] ) && is_string( $_GET['key'] ) ? sanitize_text_field( wp_unslash( $_GET['key'] ) ) : '';
	if ( ! $order instanceof WC_Order || ! hash_equals( $order->get_order_key(), $key ) ) {
		return;
	}
	$paid = $order->get_date_paid();
	if ( $paid && $paid->getTimestamp() > time() - HOUR_IN_SECONDS && current_user_can( 'pay_for_order', $order->get_id() ) ) {
		orderbeacon_report( $order );
	}
} ) );

/** True for an order that counts: with a date of payment, and all of it paid. */
function orderbeacon_is_paid( $order ) {
	return $order instanceof WC_Order && $order->get_date_paid()
		&& ! preg_match( '/deposit|partial(?:ly)?-pa(?:id|yment)/', $order->get_status() );
}

/** Prints the call that reports a paid order. One without an email is reported by the webhook alone. */
function orderbeacon_report( $order ) {
	if ( ! orderbeacon_is_paid( $order ) || ! $order->get_billing_email() ) {
		return;
	}
	$report = array(
		'email'       => $order->get_billing_email(),
		'amount'      => (float) $order->get_total(),
		// The number, as the webhook names the order; a plugin may make it another one than the id.
		'orderId'     => ORDERBEACON_ORDER_ID_PREFIX . $order->get_order_number(),
		'currency'    => $order->get_currency(),
		'name'        => $order->get_formatted_billing_full_name(),
		'items'       => array(),
		// By which the webhook finds this report where a plugin gives the order another number later.
		'shopOrderId' => ORDERBEACON_ORDER_ID_PREFIX . $order->get_id(),
	);
	foreach ( $order->get_items() as $item ) {
		$report['items'][] = array(
			'productId' => $item->get_variation_id() ?: $item->get_product_id(),
			'name'      => $item->get_name(),
			'quantity'  => $item->get_quantity(),
			'price'     => (float) $order->get_item_total( $item, true ),
		);
	}
	// Nothing in it can close the script: neither JSON with these flags nor the stub has a "<".
	$json = wp_json_encode( $report, JSON_HEX_TAG | JSON_HEX_AMP );
	if ( $json ) {
		wp_print_inline_script_tag( ORDERBEACON_STUB . "\ntrack('order', $json);", array( 'id' => 'orderbeacon-call' ) );
	}
}

/** Keeps the visitor, and how it came, with an order. The tag has made these cookies, with consent alone. */
function orderbeacon_keep_visitor( $order ) {
	foreach ( array( 'visitor', 'landings' ) as $name ) {
		if ( ! empty( $_COOKIE[ "ob_$name" ] ) && is_string( $_COOKIE[ "ob_$name" ] ) ) {
			// PHP reads the plus signs of a cookie as spaces.
			$value = str_replace( ' ', '+', wp_unslash( $_COOKIE[ "ob_$name" ] ) );
			$order->update_meta_data( "_orderbeacon_$name", sanitize_text_field( $value ) );
		}
	}
}

// The classic checkout, the one of blocks, and the page that pays an order which somebody else has entered.
add_action( 'woocommerce_checkout_create_order', orderbeacon_guard( 'orderbeacon_keep_visitor' ) );
add_action( 'woocommerce_store_api_checkout_update_order_from_request', orderbeacon_guard( 'orderbeacon_keep_visitor' ) );
add_action( 'woocommerce_before_pay_action', orderbeacon_guard( function ( $order ) {
	orderbeacon_keep_visitor( $order );
	$order->save();
} ) );

/** The webhook that this plugin has made; null for none. */
function orderbeacon_webhook() {
	$id = (int) get_option( 'orderbeacon_webhook' );
	return $id && function_exists( 'wc_get_webhook' ) ? wc_get_webhook( $id ) : null;
}

/** Makes the webhook, or makes it as this file says again. WooCommerce reads orders for it as the user who does so. */
function orderbeacon_connect() {
	$webhook = orderbeacon_webhook() ?: new WC_Webhook();
	$webhook->set_name( 'Orderbeacon' );
	$webhook->set_topic( 'order.updated' );
	$webhook->set_delivery_url( ORDERBEACON_SOURCE );
	$webhook->set_secret( ORDERBEACON_SECRET );
	$webhook->set_api_version( 'wp_api_v3' );
	$webhook->set_user_id( get_current_user_id() );
	$webhook->set_failure_count( 0 );
	$webhook->set_pending_delivery( false );
	$webhook->set_status( 'active' );
	$webhook->save();
	update_option( 'orderbeacon_webhook', $webhook->get_id() );
	// A ping is not signed: it shows that the server answers, and an order that it takes the secret.
	$ping = $webhook->deliver_ping();
	update_option( 'orderbeacon_last', array( 'fault' => is_wp_error( $ping ) ? $ping->get_error_message() : '' ), false );
}

// A new file may have another address or secret. Where somebody has removed the webhook, the notice says so.
add_action( 'admin_init', orderbeacon_guard( function () {
	$webhook = current_user_can( 'manage_woocommerce' ) ? orderbeacon_webhook() : null;
	$own     = array( esc_url_raw( ORDERBEACON_SOURCE ), ORDERBEACON_SECRET );
	$is_same = $webhook ? array( $webhook->get_delivery_url(), $webhook->get_secret() ) === $own : get_option( 'orderbeacon_webhook' );
	if ( ! $is_same && class_exists( 'WC_Webhook' ) && current_user_can( 'manage_woocommerce' ) ) {
		orderbeacon_connect();
	}
} ) );

/** Says what is wrong with the answer to a delivery, and the fix; empty for nothing. */
function orderbeacon_fault_of( $response ) {
	if ( is_wp_error( $response ) ) {
		return 'The server cannot be reached: ' . $response->get_error_message();
	}
	$status = (int) wp_remote_retrieve_response_code( $response );
	$again  = 'The server knows another secret or source. Download the plugin again in Orderbeacon’s Setup, and upload that one.';
	$moved  = 'The server’s address leads on to another one. Set PUBLIC_URL there to that one, and download the plugin again.';
	$user   = 'The user who made the webhook may not read orders. Connect again as an administrator.';
	$faults = array( 301 => $moved, 302 => $moved, 307 => $moved, 308 => $moved, 401 => $again, 404 => $again, 422 => $user );
	return $status >= 200 && $status < 300 ? '' : ( $faults[ $status ] ?? "The server answered with the status $status." );
}

add_action( 'woocommerce_webhook_delivery', orderbeacon_guard( function ( $request, $response, $duration, $order_id, $webhook_id ) {
	if ( (int) get_option( 'orderbeacon_webhook' ) !== (int) $webhook_id ) {
		return;
	}
	$fault = orderbeacon_fault_of( $response );
	$order = wc_get_order( $order_id );
	$told  = ! $fault && orderbeacon_is_paid( $order ) ? array( 'order' => $order->get_order_number(), 'at' => time() ) : array();
	update_option( 'orderbeacon_last', $told + array( 'fault' => $fault ) + (array) get_option( 'orderbeacon_last', array() ), false );
} ), 10, 5 );

/** Says what keeps orders from coming, and the fix; empty for nothing. */
function orderbeacon_fault() {
	$webhook = orderbeacon_webhook();
	$fault   = ( (array) get_option( 'orderbeacon_last', array() ) )['fault'] ?? '';
	if ( ! class_exists( 'WC_Webhook' ) ) {
		return 'WooCommerce is not active. Activate it.';
	}
	if ( ! $webhook ) {
		return 'The webhook is not there. Connect again.';
	}
	if ( 'active' !== $webhook->get_status() ) {
		return trim( "$fault The webhook is switched off, as WooCommerce does after some failures. Connect again." );
	}
	if ( ! user_can( $webhook->get_user_id(), 'manage_woocommerce' ) ) {
		return 'The user who made the webhook is gone, or may not read orders. Connect again as one who stays.';
	}
	return $fault;
}

add_action( 'admin_notices', orderbeacon_guard( function () {
	if ( ! current_user_can( 'manage_woocommerce' ) ) {
		return;
	}
	$fault = orderbeacon_fault();
	$last  = (array) get_option( 'orderbeacon_last', array() );
	if ( $fault ) {
		printf( '<div class="notice notice-error"><p>Orderbeacon: %s</p>', esc_html( $fault ) );
		printf( '<form method="post" action="%s"><p><input type="hidden" name="action" value="orderbeacon_connect">', esc_url( admin_url( 'admin-post.php' ) ) );
		wp_nonce_field( 'orderbeacon_connect' );
		echo '<button class="button">Connect again</button></p></form></div>';
	} elseif ( 'plugins' === get_current_screen()->id ) {
		$state = isset( $last['order'] ) ? "connected, last order {$last['order']}, " . human_time_diff( $last['at'] ) . ' ago.'
			: 'the server answers. The next paid order shows here that it is taken.';
		printf( '<div class="notice notice-success"><p>Orderbeacon: %s</p></div>', esc_html( $state ) );
	}
} ) );

add_action( 'admin_post_orderbeacon_connect', function () {
	check_admin_referer( 'orderbeacon_connect' );
	if ( current_user_can( 'manage_woocommerce' ) ) {
		orderbeacon_guard( 'orderbeacon_connect' )();
	}
	wp_safe_redirect( wp_get_referer() ?: admin_url( 'plugins.php' ) );
	exit;
} );

/** Removes the webhook, and what this plugin has remembered. Orders keep their visitors. */
function orderbeacon_disconnect() {
	$webhook = orderbeacon_webhook();
	if ( $webhook ) {
		$webhook->delete( true );
	}
	array_map( 'delete_option', array( 'orderbeacon_webhook', 'orderbeacon_last' ) );
}
// A plugin that is deactivated reports nothing. WordPress deactivates one before it removes it.
register_deactivation_hook( __FILE__, orderbeacon_guard( 'orderbeacon_disconnect' ) );
register_uninstall_hook( __FILE__, 'orderbeacon_disconnect' );
