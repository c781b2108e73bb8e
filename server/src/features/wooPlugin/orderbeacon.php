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

// Snippets and themes have no function in this namespace.
namespace Orderbeacon;

defined( 'ABSPATH' ) || exit;

// A second copy in another folder does nothing, because PHP fails if a function is declared twice.
if ( ! function_exists( __NAMESPACE__ . '\file_values' ) ) :

	/** Returns the values of this file. */
	function file_values() {
		return array(
			'url'    => '{{url}}',
			'team'   => '{{team}}',
			'source' => '{{source}}',
			'secret' => '{{secret}}',
			'prefix' => '{{prefix}}',
		);
	}

	/** Returns the values of this site. Sites of a network share one file, so each stores those with which it was connected. */
	function values() {
		return is_multisite() && isset( connection()['values'] ) ? connection()['values'] : file_values();
	}

	/** Returns the stub, which keeps calls of track() until the script has loaded. */
	function stub() {
		return '{{stub}}';
	}

	/** Wraps a hook, so that a fault of this plugin does not break a page, a checkout or the admin. */
	function guard( callable $work ) {
		return function ( ...$given ) use ( $work ) {
			try {
				return $work( ...$given );
			} catch ( \Throwable $fault ) {
				error_log( 'Orderbeacon: ' . $fault->getMessage() . ' in line ' . $fault->getLine() );
				return $given[0] ?? null;
			}
		};
	}

	add_action( 'before_woocommerce_init', guard( function () {
		foreach ( array( 'custom_order_tables', 'cart_checkout_blocks' ) as $feature ) {
			\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( $feature, __FILE__, true );
		}
	} ) );

	/** Reads an option that is an array; empty for any other value. */
	function kept( $name ) {
		$kept = get_option( $name );
		return is_array( $kept ) ? $kept : array();
	}

	/** Returns the facts of this site's connection: hashes of the file and of its source, the site's address, the webhook. Empty before it. */
	function connection() {
		return kept( 'orderbeacon_connection' );
	}

	/** Hashes a source by the last part of its URL, because tools that copy a site replace addresses everywhere in its database. */
	function source_hash( $url ) {
		return md5( basename( $url ) );
	}

	/** Returns the shop's own URL. Not `home_url()`, because plugins for languages change that from page to page. */
	function home() {
		return (string) ( defined( 'WP_HOME' ) ? WP_HOME : ( wp_load_alloptions()['home'] ?? get_option( 'home' ) ) );
	}

	/** Returns the shop's host and path, without `www.`. Empty if a program without a request does not know them. */
	function address() {
		$parts = wp_parse_url( strtolower( home() ) );
		return preg_replace( '/^www\./', '', $parts['host'] ?? '' ) . rtrim( $parts['path'] ?? '', '/' );
	}

	/** Returns the address of the shop of which this site is a copy, files and database; empty if it is no copy. */
	function copied_from() {
		$shop = (string) hex2bin( connection()['address'] ?? '' );
		return in_array( '', array( $shop, address() ), true ) || address() === $shop ? '' : $shop;
	}

	function is_active_for_network() {
		return is_multisite() && isset( get_site_option( 'active_sitewide_plugins', array() )[ plugin_basename( __FILE__ ) ] );
	}

	/** @return bool true if the site reports nothing: it is a copy, or of a network whose shops would share one source. */
	function is_silent() {
		return '' !== copied_from() || is_active_for_network();
	}

	/** @return bool true if this file is not the one with which the site was connected. */
	function is_new_file() {
		return md5( serialize( file_values() ) ) !== ( connection()['file'] ?? '' );
	}

	/** @return bool true if this file has the source with which the site was connected. */
	function is_own_file() {
		return source_hash( file_values()['source'] ) === ( connection()['source'] ?? '' );
	}

	/** @return bool true if the site connects unasked. A copy only does with a new source, a site of a network never does with one. */
	function is_to_connect() {
		if ( ! class_exists( 'WC_Webhook' ) || is_active_for_network() || ! is_new_file() ) {
			return false;
		}
		return ! connection() || ( is_own_file() ? '' === copied_from() : ! is_multisite() );
	}

	// Prints the tag on every page.
	add_action( 'wp_head', guard( function () {
		if ( is_silent() ) {
			return;
		}
		$tag = array(
			'async'         => true,
			'src'           => values()['url'] . '/sdk/track.js',
			'data-team-id'  => values()['team'],
			'data-endpoint' => values()['url'],
		);
		if ( apply_filters( 'orderbeacon_ask_first', defined( 'ORDERBEACON_ASK_FIRST' ) && ORDERBEACON_ASK_FIRST ) ) {
			$tag['data-visitor'] = 'off';
			// A consent plugin may call track() before the script has loaded.
			wp_print_inline_script_tag( stub() );
		}
		wp_print_script_tag( $tag );
	} ) );

	// WooCommerce calls this where it shows an order to a checked visitor. It runs after the lines of the recipe, see below.
	add_action( 'woocommerce_thankyou', guard( function ( $order_id ) {
		report( wc_get_order( $order_id ) );
	} ), 20 );

	// Some payment methods lead back to the page on which the order was paid. WooCommerce shows nothing of a paid order there.
	add_action( 'after_woocommerce_pay', guard( function () {
		$order = wc_get_order( absint( get_query_var( 'order-pay' ) ) );
		$key   = isset( $_GET['key'] ) && is_string( $_GET['key'] ) ? sanitize_text_field( wp_unslash( $_GET['key'] ) ) : '';
		if ( ! $order instanceof \WC_Order || ! hash_equals( $order->get_order_key(), $key ) || ! is_buyer( $order ) ) {
			return;
		}
		$paid = $order->get_date_paid();
		if ( $paid && $paid->getTimestamp() > time() - HOUR_IN_SECONDS ) {
			report( $order );
		}
	} ) );

	/** @return bool true for the buyer's browser: it is signed in, has the email in its session, or has paid the order. */
	function is_buyer( $order ) {
		if ( $order->get_customer_id() ) {
			return get_current_user_id() === $order->get_customer_id();
		}
		$session = WC()->session;
		$email   = $session ? ( (array) $session->get( 'customer' ) )['email'] ?? '' : '';
		return $session && ( $order->get_billing_email() === $email || $session->get( 'orderbeacon_paid' ) === $order->get_id() );
	}

	/** @return bool true if an order counts: it has a date of payment, and not only a deposit is paid. */
	function is_paid( $order ) {
		return $order instanceof \WC_Order && $order->get_date_paid()
			&& ! preg_match( '/deposit|partial(?:ly)?-pa(?:id|yment)/', $order->get_status() );
	}

	/** Prints the call that reports a paid order. An order without an email is only reported by the webhook. */
	function report( $order ) {
		if ( is_silent() || ! is_paid( $order ) || ! $order->get_billing_email() ) {
			return;
		}
		$report = array(
			'email'       => $order->get_billing_email(),
			'amount'      => (float) $order->get_total(),
			// The number, as in the webhook. A plugin may make it differ from the id.
			'orderId'     => values()['prefix'] . $order->get_order_number(),
			'currency'    => $order->get_currency(),
			'name'        => $order->get_formatted_billing_full_name(),
			'items'       => array(),
			// The webhook finds this report by it, even if a plugin changes the order's number later.
			'shopOrderId' => values()['prefix'] . $order->get_id(),
		);
		foreach ( $order->get_items() as $item ) {
			$report['items'][] = array(
				'productId' => $item->get_variation_id() ?: $item->get_product_id(),
				'name'      => $item->get_name(),
				'quantity'  => $item->get_quantity(),
				'price'     => (float) $order->get_item_total( $item, true ),
			);
		}
		// It cannot close the script, because neither JSON with these flags nor the stub contains "<". It contains no "@" either,
		// because some plugins rewrite each email in a page.
		$json = str_replace( '@', '\u0040', (string) wp_json_encode( $report, JSON_HEX_TAG | JSON_HEX_AMP ) );
		if ( $json ) {
			// The recipe prints an element with this id. Its lines may still be in the theme.
			$call = "if (!document.getElementById('orderbeacon-order'))\ntrack('order', $json);";
			wp_print_inline_script_tag( stub() . "\n" . $call, array( 'id' => 'orderbeacon-call' ) );
		}
	}

	/** Stores the visitor and its landings with an order. The tag makes these cookies only with consent. */
	function keep_visitor( $order ) {
		foreach ( array( 'visitor', 'landings' ) as $name ) {
			if ( ! empty( $_COOKIE[ "ob_$name" ] ) && is_string( $_COOKIE[ "ob_$name" ] ) ) {
				// PHP decodes the plus signs of a cookie as spaces.
				$value = str_replace( ' ', '+', wp_unslash( $_COOKIE[ "ob_$name" ] ) );
				$order->update_meta_data( "_orderbeacon_$name", sanitize_text_field( $value ) );
			}
		}
	}

	// The classic checkout, the block checkout, and the page on which an order that somebody else has entered is paid.
	add_action( 'woocommerce_checkout_create_order', guard( __NAMESPACE__ . '\keep_visitor' ) );
	add_action( 'woocommerce_store_api_checkout_update_order_from_request', guard( __NAMESPACE__ . '\keep_visitor' ) );
	add_action( 'woocommerce_before_pay_action', guard( function ( $order ) {
		keep_visitor( $order );
		$order->save();
		$session = WC()->session;
		if ( $session && ! $session->has_session() ) {
			$session->set_customer_session_cookie( true );
		}
		if ( $session ) {
			$session->set( 'orderbeacon_paid', $order->get_id() );
		}
	} ) );

	// WooCommerce erases and exports these fields with the order. It removes a field that has no anonymous form.
	add_filter( 'woocommerce_privacy_remove_order_personal_data_meta', guard( function ( $meta ) {
		return $meta + array_fill_keys( array( '_orderbeacon_visitor', '_orderbeacon_landings' ), 'removed' );
	} ) );
	add_filter( 'woocommerce_privacy_export_order_personal_data_meta', guard( function ( $meta ) {
		return $meta + array(
			'_orderbeacon_visitor'  => 'Orderbeacon: visitor',
			'_orderbeacon_landings' => 'Orderbeacon: first and last landing, as Base64',
		);
	} ) );

	/** @return bool true for the URL of this site's source, of the file's, or of the one with which the site was connected before. */
	function is_own_url( $url ) {
		$own = array( source_hash( values()['source'] ), source_hash( file_values()['source'] ), connection()['source'] ?? '' );
		return in_array( source_hash( $url ), $own, true );
	}

	function is_own_webhook( $webhook ) {
		return $webhook && is_own_url( $webhook->get_delivery_url( 'edit' ) );
	}

	/** Lists the site's own webhooks, the oldest first. */
	function webhooks() {
		if ( ! class_exists( 'WC_Webhook' ) ) {
			return array();
		}
		$ids = \WC_Data_Store::load( 'webhook' )->search_webhooks( array( 'limit' => -1, 'order' => 'ASC' ) );
		return array_values( array_filter( array_map( 'wc_get_webhook', $ids ), __NAMESPACE__ . '\is_own_webhook' ) );
	}

	/** Returns the webhook; null without one. */
	function webhook() {
		$id      = connection()['webhook'] ?? 0;
		$webhook = $id && function_exists( 'wc_get_webhook' ) ? wc_get_webhook( $id ) : null;
		return is_own_webhook( $webhook ) ? $webhook : ( webhooks()[0] ?? null );
	}

	/** Chooses the user as whom the webhook reads orders: the current one, the webhook's, or an administrator; 0 if none may. */
	function choose_user( $webhook ) {
		$others = get_users( array( 'capability' => 'manage_woocommerce', 'number' => 1, 'orderby' => 'ID', 'fields' => 'ID' ) );
		foreach ( array_merge( array( get_current_user_id(), $webhook->get_user_id( 'edit' ) ), $others ) as $user ) {
			if ( $user && user_can( (int) $user, 'manage_woocommerce' ) ) {
				return (int) $user;
			}
		}
		return 0;
	}

	/** Creates the webhook or resets it to these values, and tries it. */
	function connect( $values ) {
		$webhook = webhooks()[0] ?? new \WC_Webhook();
		$webhook->set_name( 'Orderbeacon' );
		$webhook->set_topic( 'order.updated' );
		$webhook->set_delivery_url( $values['source'] );
		$webhook->set_secret( $values['secret'] );
		$webhook->set_api_version( 'wp_api_v3' );
		$webhook->set_user_id( choose_user( $webhook ) );
		$webhook->set_failure_count( 0 );
		// WooCommerce sends an unsigned ping for a new webhook, unless this property was changed.
		$webhook->set_pending_delivery( true );
		$webhook->set_pending_delivery( false );
		$webhook->set_status( 'active' );
		$webhook->save();
		// Concurrent requests create one webhook each, and each request keeps only the oldest.
		foreach ( webhooks() as $at => $each ) {
			if ( 0 === $at ) {
				$webhook = $each;
			} else {
				$each->delete( true );
			}
		}
		$connection = array(
			'webhook' => $webhook->get_id(),
			'file'    => md5( serialize( file_values() ) ),
			'source'  => source_hash( $values['source'] ),
			// In hexadecimal, because tools that copy a site replace its address everywhere in the database.
			'address' => bin2hex( address() ),
		);
		update_option( 'orderbeacon_connection', $connection + ( is_multisite() ? array( 'values' => $values ) : array() ) );
		array_map( 'delete_option', array( 'orderbeacon_webhook', 'orderbeacon_last' ) );
		try_out( $webhook );
		catch_up( $webhook );
	}

	/** Sends the shop's address, signed like orders. Stores the answer, which says what this shop lacks. */
	function try_out( $webhook ) {
		$body    = (string) wp_json_encode( array( 'home' => home() ) );
		$headers = array( 'Content-Type' => 'application/json', 'X-WC-Webhook-Signature' => $webhook->generate_signature( $body ) );
		$url     = values()['url'] . '/svc-api/v1/woocommerce/hello/' . basename( values()['source'] );
		$answer  = wp_safe_remote_post( $url, array( 'timeout' => 10, 'redirection' => 0, 'headers' => $headers, 'body' => $body ) );
		$said    = json_decode( wp_remote_retrieve_body( $answer ), true );
		remember( array( 'fault' => fault_of( $answer ), 'said' => $said['data'] ?? array(), 'tried' => time() ) );
	}

	/** Queues the orders that changed since the last delivery arrived, or since the connection: a webhook that is off queues none. */
	function catch_up( $webhook ) {
		$since = max( state()['arrived'] ?? time(), time() - 30 * DAY_IN_SECONDS );
		$ids   = wc_get_orders( array( 'date_modified' => ">=$since", 'type' => 'shop_order', 'limit' => 1000, 'return' => 'ids' ) );
		foreach ( $ids as $id ) {
			$delivery = array( 'webhook_id' => $webhook->get_id(), 'arg' => $id );
			if ( ! WC()->queue()->get_next( 'woocommerce_deliver_webhook_async', $delivery, 'woocommerce-webhooks' ) ) {
				WC()->queue()->add( 'woocommerce_deliver_webhook_async', $delivery, 'woocommerce-webhooks' );
			}
		}
		remember( array( 'arrived' => $since ) );
	}

	/** Returns the outcome of the last deliveries, and the last answer of the server. */
	function state() {
		return kept( 'orderbeacon_state' );
	}

	function remember( $news ) {
		update_option( 'orderbeacon_state', $news + state(), false );
	}

	// Activation, an admin page or WP-Cron connects the site. WP-Cron also does after a deploy, when nobody opens a page.
	register_activation_hook( __FILE__, guard( function ( $is_for_network = false ) {
		if ( ! $is_for_network && class_exists( 'WC_Webhook' ) && ( '' === copied_from() || is_to_connect() ) ) {
			connect( is_to_connect() ? file_values() : values() );
		}
	} ) );
	add_action( 'init', guard( function () {
		if ( is_to_connect() && ! wp_next_scheduled( 'orderbeacon_connect' ) ) {
			wp_schedule_single_event( time(), 'orderbeacon_connect' );
		}
	} ) );
	add_action( 'orderbeacon_connect', guard( function () {
		if ( is_to_connect() ) {
			connect( file_values() );
		}
	} ) );
	add_action( 'admin_init', guard( function () {
		if ( ! current_user_can( 'manage_woocommerce' ) || wp_doing_ajax() ) {
			return;
		}
		$own = array( esc_url_raw( values()['source'] ), values()['secret'] );
		if ( is_to_connect() ) {
			connect( file_values() );
		} elseif ( ! is_silent() && webhook() && array( webhook()->get_delivery_url( 'edit' ), webhook()->get_secret( 'edit' ) ) !== $own ) {
			connect( values() );
		} elseif ( is_plugins_page() && ! is_silent() && lacks() && webhook() && ( state()['tried'] ?? 0 ) < time() - 5 ) {
			try_out( webhook() );
		}
		keep_note( fault()[0] );
	} ) );

	// A copy sends nothing, not even what it has copied of WooCommerce's queue. A filter of the webhook's URL would be saved with it.
	add_filter( 'pre_http_request', guard( function ( $answer, $request, $url ) {
		return is_own_url( $url ) && is_silent() ? new \WP_Error( 'orderbeacon', fault()[0] ) : $answer;
	} ), 10, 3 );

	add_action( 'woocommerce_webhook_delivery', guard( function ( $request, $response, $duration, $order_id, $webhook_id ) {
		if ( is_silent() || ! is_own_webhook( wc_get_webhook( $webhook_id ) ) ) {
			return;
		}
		$news = array( 'fault' => fault_of( $response ) );
		if ( ! $news['fault'] ) {
			$news['arrived'] = time();
			$order           = wc_get_order( $order_id );
			$news           += is_paid( $order ) ? array( 'order' => $order->get_order_number(), 'at' => time() ) : array();
		}
		remember( $news );
	} ), 10, 5 );

	/** Describes the fault of the server's answer with its fix, and the button if connecting again may fix it. Empty without a fault. */
	function fault_of( $response ) {
		if ( is_wp_error( $response ) ) {
			return array( 'The server cannot be reached: ' . $response->get_error_message(), 'Connect again' );
		}
		$status = (int) wp_remote_retrieve_response_code( $response );
		$other  = 'The server knows another secret or source. Download the plugin again in Orderbeacon’s Setup, and upload that one.';
		$moved  = 'The server’s address leads on to another one. Set PUBLIC_URL there to that one, and download the plugin again.';
		$user   = 'The user who made the webhook may not read orders. Connect again as an administrator.';
		$faults = array( 301 => $moved, 302 => $moved, 307 => $moved, 308 => $moved, 401 => $other, 404 => $other );
		if ( $status >= 200 && $status < 300 ) {
			return array();
		}
		if ( isset( $faults[ $status ] ) ) {
			return array( $faults[ $status ], '' );
		}
		return array( 422 === $status ? $user : "The server answered with the status $status.", 'Connect again' );
	}

	/** Returns what keeps orders from arriving with its fix, and the button if it is a fix. Empty texts without a fault. */
	function fault() {
		$shop  = copied_from();
		$fault = ( state()['fault'] ?? array() ) + array( '', '' );
		if ( ! class_exists( 'WC_Webhook' ) ) {
			return array( 'WooCommerce is not active. Activate it.', '' );
		}
		if ( is_active_for_network() ) {
			return array( 'The plugin is active for the whole network, and reports nothing. Activate it in each shop by itself instead, with a file for a source of its own.', '' );
		}
		if ( $shop ) {
			return array( "This is a copy of $shop, so it reports nothing. Connect it as a shop of its own, by a plugin for another source, or not at all. Only where the shop itself has moved, connect it here.", 'The shop has moved here' );
		}
		if ( ! webhook() ) {
			return array( 'The webhook is not there. Connect again.', 'Connect again' );
		}
		if ( $fault[0] && ! $fault[1] ) {
			return array( $fault[0], is_own_file() ? '' : 'Connect by the uploaded file' );
		}
		if ( 'active' !== webhook()->get_status( 'edit' ) ) {
			return array( trim( "$fault[0] The webhook is switched off, as WooCommerce does after some failures. Connect again." ), 'Connect again' );
		}
		if ( ! user_can( webhook()->get_user_id( 'edit' ), 'manage_woocommerce' ) ) {
			return array( 'The user who made the webhook is gone, or may not read orders. Connect again as one who stays.', 'Connect again' );
		}
		return $fault;
	}

	/** Lists what the shop lacks although nothing is at fault. Each entry is a sentence, the text of a link, and its address. */
	function lacks() {
		$said  = state()['said'] ?? array();
		$lacks = array();
		if ( isset( $said['isAllowed'] ) && ! $said['isAllowed'] ) {
			$setup   = values()['url'] . '/console/' . values()['team'] . '/setup/install?platform=woocommerce';
			$lacks[] = array( 'The pages of this shop are not allowed to report yet.', 'Allow them in Setup', $setup );
		}
		if ( ! empty( $said['ask'] ) ) {
			$query   = array(
				'app_name'     => 'Orderbeacon',
				'scope'        => 'read',
				'user_id'      => $said['ask'],
				'return_url'   => rawurlencode( admin_url( 'plugins.php' ) ),
				'callback_url' => rawurlencode( values()['url'] . '/svc-api/v1/woocommerce/key' ),
			);
			$lacks[] = array( 'WooCommerce never sends a failed delivery again.', 'Let Orderbeacon read such orders', add_query_arg( $query, untrailingslashit( home() ) . '/wc-auth/v1/authorize' ) );
		}
		if ( function_exists( 'orderbeacon_keep_visitor' ) ) {
			$lacks[] = array( 'Your theme or a snippet has the lines of the recipe, too. Remove them: the plugin does the same.', '', '' );
		}
		return $lacks;
	}

	/** Shows a fault also on WooCommerce's pages that hide the notices of WordPress, such as its Home and Analytics. */
	function keep_note( $words ) {
		$notes = '\Automattic\WooCommerce\Admin\Notes\Notes';
		if ( ( state()['noted'] ?? '' ) === $words || ! class_exists( $notes ) ) {
			return;
		}
		remember( array( 'noted' => $words ) );
		$notes::delete_notes_with_name( 'orderbeacon' );
		if ( $words ) {
			$note = new \Automattic\WooCommerce\Admin\Notes\Note();
			$note->set_name( 'orderbeacon' );
			$note->set_source( 'orderbeacon' );
			$note->set_type( 'error' );
			$note->set_title( 'Orderbeacon reports no orders' );
			$note->set_content( esc_html( $words ) );
			$note->add_action( 'orderbeacon', 'See what to do', admin_url( 'plugins.php' ) );
			$note->save();
		}
	}

	function is_plugins_page() {
		return 'plugins.php' === ( $GLOBALS['pagenow'] ?? '' );
	}

	/** Prints a notice with a button that connects the site, or with a link. */
	function print_notice( $tone, $words, $button = '', $link = '', $href = '' ) {
		printf( '<div class="notice notice-%s"><p>Orderbeacon: %s', esc_attr( $tone ), esc_html( $words ) );
		if ( $link ) {
			printf( ' <a href="%s">%s</a>', esc_url( $href ), esc_html( $link ) );
		}
		echo '</p>';
		if ( $button ) {
			printf( '<form method="post" action="%s"><p><input type="hidden" name="action" value="orderbeacon_connect">', esc_url( admin_url( 'admin-post.php' ) ) );
			wp_nonce_field( 'orderbeacon_connect' );
			printf( '<button class="button">%s</button></p></form>', esc_html( $button ) );
		}
		echo '</div>';
	}

	add_action( 'admin_notices', guard( function () {
		if ( ! current_user_can( 'manage_woocommerce' ) ) {
			return;
		}
		list( $words, $button ) = fault();
		$state = state();
		if ( $words ) {
			print_notice( 'error', $words, $button );
		} elseif ( is_plugins_page() ) {
			$ago = isset( $state['at'] ) ? human_time_diff( $state['at'] ) : '';
			print_notice( 'success', $ago ? "connected, last order {$state['order']}, $ago ago." : 'connected. The next paid order shows here.' );
		}
		foreach ( is_plugins_page() && ! is_silent() ? lacks() : array() as list( $lack, $link, $href ) ) {
			print_notice( 'warning', $lack, '', $link, $href );
		}
	} ) );

	add_action( 'admin_post_orderbeacon_connect', function () {
		check_admin_referer( 'orderbeacon_connect' );
		if ( current_user_can( 'manage_woocommerce' ) && ! is_active_for_network() ) {
			$fault = state()['fault'] ?? array();
			guard( __NAMESPACE__ . '\connect' )( '' === ( $fault[1] ?? null ) || is_own_file() ? file_values() : values() );
		}
		wp_safe_redirect( wp_get_referer() ?: admin_url( 'plugins.php' ) );
		exit;
	} );

	/** Removes the webhooks after they have delivered what waits, and the options of this plugin. Orders keep their visitors. */
	function uninstall() {
		foreach ( webhooks() as $webhook ) {
			deliver_waiting( $webhook );
			$webhook->delete( true );
		}
		array_map( 'delete_option', array( 'orderbeacon_connection', 'orderbeacon_state', 'orderbeacon_webhook', 'orderbeacon_last' ) );
	}

	/** Sends the deliveries for which WP-Cron has not run yet, until the first one fails. */
	function deliver_waiting( $webhook ) {
		$search = array( 'hook' => 'woocommerce_deliver_webhook_async', 'group' => 'woocommerce-webhooks', 'status' => 'pending', 'per_page' => 200 );
		$webhook->set_failure_count( 0 );
		foreach ( WC()->queue()->search( $search ) as $action ) {
			$delivery = $action->get_args();
			if ( $webhook->get_id() === (int) ( $delivery['webhook_id'] ?? 0 ) && 0 === $webhook->get_failure_count() ) {
				$webhook->deliver( $delivery['arg'] );
				WC()->queue()->cancel( 'woocommerce_deliver_webhook_async', $delivery, 'woocommerce-webhooks' );
			}
		}
	}

	// A deactivated plugin queues nothing, but WooCommerce still delivers what waits. WordPress deactivates a plugin before it
	// removes it.
	register_deactivation_hook( __FILE__, guard( function () {
		foreach ( webhooks() as $webhook ) {
			$webhook->set_status( 'paused' );
			$webhook->save();
		}
		wp_clear_scheduled_hook( 'orderbeacon_connect' );
		keep_note( '' );
	} ) );
	register_uninstall_hook( __FILE__, __NAMESPACE__ . '\uninstall' );

else :

	add_action( 'admin_notices', function () {
		echo '<div class="notice notice-error"><p>Orderbeacon: the plugin is active twice. Deactivate one of them.</p></div>';
	} );

endif;
